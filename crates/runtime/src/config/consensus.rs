//! BABE, GRANDPA, sessions and what watches over them.

use super::*;
use crate::pallets::validators::SessionLength;
use frame_support::traits::{ConstU32, ConstU64, Get};
use sp_consensus_babe::{AllowedSlots, BabeEpochConfiguration};
use sp_runtime::traits::{Convert, ConvertInto, OpaqueKeys};

/// Length of a slot.
pub const SLOT_MS: u64 = 6_000;
/// Most validators the chain can have.
pub const MAX_AUTHORITIES: u32 = 32;
/// Sessions for which an equivocation may be reported, and for which GRANDPA remembers its set ids.
const REPORTED_SESSIONS: u64 = 24;

/// An equivocation may be reported for this many slots or blocks.
pub struct ReportLongevity;
impl Get<u64> for ReportLongevity {
    fn get() -> u64 {
        SessionLength::<Runtime>::get().saturating_mul(REPORTED_SESSIONS)
    }
}

/// The epoch settings of genesis: a quarter of the slots have primary authors, every slot a secondary one.
pub const EPOCH_CONFIGURATION: BabeEpochConfiguration =
    BabeEpochConfiguration { c: (1, 4), allowed_slots: AllowedSlots::PrimaryAndSecondaryPlainSlots };

impl pallet_babe::Config for Runtime {
    type EpochDuration = SessionLength<Runtime>;
    type ExpectedBlockTime = ConstU64<SLOT_MS>;
    type EpochChangeTrigger = pallet_babe::ExternalTrigger;
    type DisabledValidators = Session;
    type WeightInfo = ();
    type MaxAuthorities = ConstU32<MAX_AUTHORITIES>;
    type MaxNominators = ConstU32<0>;
    type KeyOwnerProof = sp_session::MembershipProof;
    type EquivocationReportSystem =
        pallet_babe::EquivocationReportSystem<Self, Offences, Historical, ReportLongevity>;
}

impl pallet_grandpa::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type WeightInfo = ();
    type MaxAuthorities = ConstU32<MAX_AUTHORITIES>;
    type MaxNominators = ConstU32<0>;
    type MaxSetIdSessionEntries = ConstU64<REPORTED_SESSIONS>;
    type KeyOwnerProof = sp_session::MembershipProof;
    type EquivocationReportSystem =
        pallet_grandpa::EquivocationReportSystem<Self, Offences, Historical, ReportLongevity>;
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
