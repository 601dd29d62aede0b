//! The pallets' settings, by subject.

use crate::*;

mod calls;
mod consensus;
mod money;
mod system;

pub use consensus::*;

/// One unit of the chain's token: 12 decimals.
pub const UNIT: Balance = 1_000_000_000_000;
/// A thousandth of a unit.
pub const MILLIUNIT: Balance = UNIT / 1_000;
/// What an account must hold to exist.
pub const EXISTENTIAL_DEPOSIT: Balance = MILLIUNIT;

/// What an author leaves as a deposit for the storage it makes the chain keep.
pub const fn deposit(items: u32, bytes: u32) -> Balance {
    items as Balance * 20 * MILLIUNIT + bytes as Balance * MILLIUNIT / 10
}
