//! Pallets that make, keep or wrap calls.

use super::*;
use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use frame_support::{
    parameter_types,
    traits::{
        fungible::HoldConsideration, ConstU128, ConstU32, EqualPrivilegeOnly, InstanceFilter,
        LinearStoragePrice,
    },
    weights::Weight,
};
use frame_system::EnsureRoot;
use scale_info::TypeInfo;
use sp_runtime::Perbill;

impl pallet_sudo::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type WeightInfo = pallet_sudo::weights::SubstrateWeight<Runtime>;
}

impl pallet_utility::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type PalletsOrigin = OriginCaller;
    type WeightInfo = pallet_utility::weights::SubstrateWeight<Runtime>;
}

/// What a proxy may do for the account behind it.
#[derive(
    Copy,
    Clone,
    Default,
    Eq,
    PartialEq,
    Ord,
    PartialOrd,
    Debug,
    Encode,
    Decode,
    DecodeWithMemTracking,
    MaxEncodedLen,
    TypeInfo,
)]
pub enum ProxyType {
    /// Everything.
    #[default]
    Any,
    /// Everything that moves neither balances nor assets and runs no contract.
    NonTransfer,
    /// Announcements may be rejected, nothing else.
    CancelProxy,
}

impl InstanceFilter<RuntimeCall> for ProxyType {
    fn filter(&self, call: &RuntimeCall) -> bool {
        match self {
            ProxyType::Any => true,
            ProxyType::NonTransfer => {
                !matches!(call, RuntimeCall::Balances(_) | RuntimeCall::Assets(_) | RuntimeCall::Contracts(_))
            }
            ProxyType::CancelProxy => {
                matches!(call, RuntimeCall::Proxy(pallet_proxy::Call::reject_announcement { .. }))
            }
        }
    }

    fn is_superset(&self, other: &Self) -> bool {
        self == other || *self == ProxyType::Any
    }
}

impl pallet_proxy::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type Currency = Balances;
    type ProxyType = ProxyType;
    type ProxyDepositBase = ConstU128<{ deposit(1, 8) }>;
    type ProxyDepositFactor = ConstU128<{ deposit(0, 33) }>;
    type MaxProxies = ConstU32<32>;
    type MaxPending = ConstU32<32>;
    type CallHasher = BlakeTwo256;
    type AnnouncementDepositBase = ConstU128<{ deposit(1, 8) }>;
    type AnnouncementDepositFactor = ConstU128<{ deposit(0, 66) }>;
    type BlockNumberProvider = System;
    type WeightInfo = pallet_proxy::weights::SubstrateWeight<Runtime>;
}

impl pallet_multisig::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type Currency = Balances;
    type DepositBase = ConstU128<{ deposit(1, 88) }>;
    type DepositFactor = ConstU128<{ deposit(0, 32) }>;
    type MaxSignatories = ConstU32<100>;
    type BlockNumberProvider = System;
    type WeightInfo = pallet_multisig::weights::SubstrateWeight<Runtime>;
}

parameter_types! {
    pub const PreimageHoldReason: RuntimeHoldReason =
        RuntimeHoldReason::Preimage(pallet_preimage::HoldReason::Preimage);
    pub const PreimageBaseDeposit: Balance = deposit(2, 64);
    pub const PreimageByteDeposit: Balance = deposit(0, 1);
    pub SchedulerWeight: Weight = Perbill::from_percent(80) *
        <Runtime as frame_system::Config>::BlockWeights::get().max_block;
}

impl pallet_preimage::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type Currency = Balances;
    type ManagerOrigin = EnsureRoot<AccountId>;
    type Consideration = HoldConsideration<
        AccountId,
        Balances,
        PreimageHoldReason,
        LinearStoragePrice<PreimageBaseDeposit, PreimageByteDeposit, Balance>,
    >;
    type WeightInfo = pallet_preimage::weights::SubstrateWeight<Runtime>;
}

impl pallet_scheduler::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeOrigin = RuntimeOrigin;
    type PalletsOrigin = OriginCaller;
    type RuntimeCall = RuntimeCall;
    type MaximumWeight = SchedulerWeight;
    type ScheduleOrigin = EnsureRoot<AccountId>;
    type OriginPrivilegeCmp = EqualPrivilegeOnly;
    type MaxScheduledPerBlock = ConstU32<64>;
    type Preimages = Preimage;
    type BlockNumberProvider = System;
    type WeightInfo = pallet_scheduler::weights::SubstrateWeight<Runtime>;
}

impl crate::pallets::observer::Config for Runtime {}
