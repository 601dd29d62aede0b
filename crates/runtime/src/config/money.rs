//! Balances, assets and contracts.

use super::*;
use frame_support::{
    derive_impl, parameter_types,
    traits::{AsEnsureOriginWithArg, ConstBool, ConstU128, ConstU32, Nothing},
};
use frame_system::{EnsureRoot, EnsureSigned};
use sp_runtime::Perbill;

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Runtime {
    type Balance = Balance;
    type ExistentialDeposit = ConstU128<EXISTENTIAL_DEPOSIT>;
    type AccountStore = System;
    type ReserveIdentifier = [u8; 8];
    type FreezeIdentifier = RuntimeFreezeReason;
    type MaxLocks = ConstU32<50>;
    type MaxReserves = ConstU32<50>;
    type MaxFreezes = frame_support::traits::VariantCountOf<RuntimeFreezeReason>;
    type WeightInfo = pallet_balances::weights::SubstrateWeight<Runtime>;
}

#[derive_impl(pallet_assets::config_preludes::TestDefaultConfig)]
impl pallet_assets::Config for Runtime {
    type Balance = Balance;
    type RemoveItemsLimit = ConstU32<1000>;
    type AssetId = u32;
    type AssetIdParameter = codec::Compact<u32>;
    type Currency = Balances;
    type CreateOrigin = AsEnsureOriginWithArg<EnsureSigned<AccountId>>;
    type ForceOrigin = EnsureRoot<AccountId>;
    type AssetDeposit = ConstU128<{ 10 * UNIT }>;
    type AssetAccountDeposit = ConstU128<{ deposit(1, 16) }>;
    type MetadataDepositBase = ConstU128<{ deposit(1, 68) }>;
    type MetadataDepositPerByte = ConstU128<{ deposit(0, 1) }>;
    type ApprovalDeposit = ConstU128<EXISTENTIAL_DEPOSIT>;
    type Freezer = ();
    type WeightInfo = pallet_assets::weights::SubstrateWeight<Runtime>;
}

parameter_types! {
    pub ContractSchedule: pallet_contracts::Schedule<Runtime> = Default::default();
    pub const CodeHashLockupDepositPercent: Perbill = Perbill::from_percent(30);
}

#[derive_impl(pallet_contracts::config_preludes::TestDefaultConfig)]
impl pallet_contracts::Config for Runtime {
    type Time = Timestamp;
    type Randomness = pallet_babe::RandomnessFromOneEpochAgo<Runtime>;
    type Currency = Balances;
    // Contracts call no dispatchables of the runtime.
    type CallFilter = Nothing;
    type CallStack = [pallet_contracts::Frame<Self>; 5];
    type Schedule = ContractSchedule;
    type DepositPerItem = ConstU128<{ deposit(1, 0) }>;
    type DepositPerByte = ConstU128<{ deposit(0, 1) }>;
    type DefaultDepositLimit = ConstU128<{ deposit(1024, 1024 * 1024) }>;
    type CodeHashLockupDepositPercent = CodeHashLockupDepositPercent;
    type UnsafeUnstableInterface = ConstBool<false>;
    type UploadOrigin = EnsureSigned<AccountId>;
    type InstantiateOrigin = EnsureSigned<AccountId>;
    type WeightPrice = pallet_transaction_payment::Pallet<Self>;
    type WeightInfo = pallet_contracts::weights::SubstrateWeight<Runtime>;
}
