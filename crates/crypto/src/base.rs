//! Multiples of the base point of ristretto255, in constant time.
//!
//! The table for them is worked out when the first is wanted. The one that comes with the curve library would be a quarter of
//! the packed module, so what uses it (signing and public keys, in schnorrkel and ed25519-zebra) is written out in this crate.
use core::cell::UnsafeCell;
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT;
use curve25519_dalek::ristretto::{RistrettoBasepointTable, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;

struct Table(UnsafeCell<Option<RistrettoBasepointTable>>);
// The module has one thread.
unsafe impl Sync for Table {}
static TABLE: Table = Table(UnsafeCell::new(None));

#[inline(never)]
pub fn times_base(scalar: &Scalar) -> RistrettoPoint {
    // Nothing below comes back here, so this is the one reference.
    let table = unsafe { &mut *TABLE.0.get() };
    scalar * &*table.get_or_insert_with(|| RistrettoBasepointTable::create(&RISTRETTO_BASEPOINT_POINT))
}
