//! BABE, GRANDPA, sessions and what watches over them.

use super::*;
use frame_support::traits::{ConstU32, ConstU64};
use sp_consensus_babe::{AllowedSlots, BabeEpochConfiguration};
use sp_runtime::traits::{Convert, ConvertInto, OpaqueKeys};

/// Length of a slot.
pub const SLOT_MS: u64 = 6_000;
/// Slots in an epoch, which is also a session.
pub const EPOCH_SLOTS: u64 = 20;
/// Most validators the chain can have.
pub const MAX_AUTHORITIES: u32 = 32;
/// An equivocation may be reported for this many slots or blocks.
const REPORT_LONGEVITY: u64 = 24 * EPOCH_SLOTS;

/// The epoch settings of genesis: a quarter of the slots have primary authors, every slot a secondary one.
pub const EPOCH_CONFIGURATION: BabeEpochConfiguration =
    BabeEpochConfiguration { c: (1, 4), allowed_slots: AllowedSlots::PrimaryAndSecondaryPlainSlots };

impl pallet_babe::Config for Runtime {
    type EpochDuration = ConstU64<EPOCH_SLOTS>;
    type ExpectedBlockTime = ConstU64<SLOT_MS>;
    type EpochChangeTrigger = pallet_babe::ExternalTrigger;
    type DisabledValidators = Session;
    type WeightInfo = ();
    type MaxAuthorities = ConstU32<MAX_AUTHORITIES>;
    type MaxNominators = ConstU32<0>;
    type KeyOwnerProof = sp_session::MembershipProof;
    type EquivocationReportSystem =
        pallet_babe::EquivocationReportSystem<Self, Offences, Historical, ConstU64<REPORT_LONGEVITY>>;
}

impl pallet_grandpa::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type WeightInfo = ();
    type MaxAuthorities = ConstU32<MAX_AUTHORITIES>;
    type MaxNominators = ConstU32<0>;
    type MaxSetIdSessionEntries = ConstU64<24>;
    type KeyOwnerProof = sp_session::MembershipProof;
    type EquivocationReportSystem =
        pallet_grandpa::EquivocationReportSystem<Self, Offences, Historical, ConstU64<REPORT_LONGEVITY>>;
}

impl pallet_authorship::Config for Runtime {
    type FindAuthor = pallet_session::FindAccountFromAuthorIndex<Self, Babe>;
    type EventHandler = ();
}

impl pallet_offences::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type IdentificationTuple = pallet_session::historical::IdentificationTuple<Self>;
    // Nothing is at stake here: an offence is recorded, its event is the only consequence.
    type OnOffenceHandler = ();
}

/// Validators are known by their account alone.
pub struct NoIdentification;
impl Convert<AccountId, Option<()>> for NoIdentification {
    fn convert(_: AccountId) -> Option<()> {
        Some(())
    }
}

impl pallet_session::historical::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type FullIdentification = ();
    type FullIdentificationOf = NoIdentification;
}

impl pallet_session::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type ValidatorId = AccountId;
    type ValidatorIdOf = ConvertInto;
    type ShouldEndSession = Babe;
    type NextSessionRotation = Babe;
    type SessionManager = pallet_session::historical::NoteHistoricalRoot<Self, Validators>;
    type SessionHandler = <SessionKeys as OpaqueKeys>::KeyTypeIdProviders;
    type Keys = SessionKeys;
    type DisablingStrategy = ();
    type WeightInfo = pallet_session::weights::SubstrateWeight<Runtime>;
    type Currency = Balances;
    type KeyDeposit = ();
}

impl crate::pallets::validators::Config for Runtime {
    type MaxValidators = ConstU32<MAX_AUTHORITIES>;
}
