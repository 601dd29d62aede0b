//! System, transactions and time.

use super::*;
use frame_support::{
    derive_impl,
    dispatch::DispatchClass,
    parameter_types,
    traits::{ConstU128, ConstU16, ConstU32, ConstU64, ConstU8},
    weights::{
        constants::{RocksDbWeight, WEIGHT_REF_TIME_PER_SECOND},
        ConstantMultiplier, IdentityFee, Weight,
    },
};
use frame_system::limits::{BlockLength, BlockWeights};
use pallet_transaction_payment::{ConstFeeMultiplier, FungibleAdapter, Multiplier};
use sp_runtime::{traits::One, Perbill};

/// Transactions may fill this part of a block; the rest is for operational ones.
const NORMAL_DISPATCH_RATIO: Perbill = Perbill::from_percent(75);

/// Two seconds of work in a slot of six; a chain of its own has no limit on proof size.
const MAX_BLOCK_WEIGHT: Weight = Weight::from_parts(2 * WEIGHT_REF_TIME_PER_SECOND, u64::MAX);

/// The customary shares, but that each block has room for transactions: pallet-session declares the block which ends
/// a session full, though rotating `MAX_AUTHORITIES` keys is little work, and that block would take none.
fn block_weights() -> BlockWeights {
    let normal = NORMAL_DISPATCH_RATIO * MAX_BLOCK_WEIGHT;
    BlockWeights::builder()
        .for_class(DispatchClass::Normal, |weights| {
            weights.max_total = Some(normal);
            weights.reserved = Some(normal);
        })
        .for_class(DispatchClass::Operational, |weights| {
            weights.max_total = Some(MAX_BLOCK_WEIGHT);
            weights.reserved = Some(MAX_BLOCK_WEIGHT - normal);
        })
        .avg_block_initialization(Perbill::from_percent(10))
        .build_or_panic()
}

parameter_types! {
    pub const Version: RuntimeVersion = VERSION;
    pub Weights: BlockWeights = block_weights();
    pub Length: BlockLength = BlockLength::builder()
        .max_length(5 * 1024 * 1024)
        .modify_max_length_for_class(DispatchClass::Normal, |max| {
            *max = NORMAL_DISPATCH_RATIO * *max
        })
        .build();
    pub FeeMultiplier: Multiplier = Multiplier::one();
}

#[derive_impl(frame_system::config_preludes::SolochainDefaultConfig)]
impl frame_system::Config for Runtime {
    type Block = Block;
    type Nonce = Nonce;
    type AccountId = AccountId;
    type AccountData = pallet_balances::AccountData<Balance>;
    type BlockWeights = Weights;
    type BlockLength = Length;
    type BlockHashCount = ConstU32<2400>;
    type DbWeight = RocksDbWeight;
    type Version = Version;
    type SS58Prefix = ConstU16<42>;
    type MaxConsumers = ConstU32<128>;
    type SystemWeightInfo = frame_system::weights::SubstrateWeight<Runtime>;
    type ExtensionsWeightInfo = frame_system::SubstrateExtensionsWeight<Runtime>;
}

impl pallet_timestamp::Config for Runtime {
    type Moment = u64;
    type OnTimestampSet = Babe;
    type MinimumPeriod = ConstU64<{ SLOT_MS / 2 }>;
    type WeightInfo = pallet_timestamp::weights::SubstrateWeight<Runtime>;
}

impl pallet_transaction_payment::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    // Fees are burned: with one validator, paying them to the author would hide them.
    type OnChargeTransaction = FungibleAdapter<Balances, ()>;
    type OperationalFeeMultiplier = ConstU8<5>;
    type WeightToFee = IdentityFee<Balance>;
    type LengthToFee = ConstantMultiplier<Balance, ConstU128<1_000_000>>;
    // The same transaction costs the same in every block.
    type FeeMultiplierUpdate = ConstFeeMultiplier<FeeMultiplier>;
    type WeightInfo = pallet_transaction_payment::weights::SubstrateWeight<Runtime>;
}

impl<C> frame_system::offchain::CreateTransactionBase<C> for Runtime
where
    RuntimeCall: From<C>,
{
    type Extrinsic = UncheckedExtrinsic;
    type RuntimeCall = RuntimeCall;
}

impl<C> frame_system::offchain::CreateBare<C> for Runtime
where
    RuntimeCall: From<C>,
{
    fn create_bare(call: RuntimeCall) -> UncheckedExtrinsic {
        UncheckedExtrinsic::new_bare(call)
    }
}

impl<C> frame_system::offchain::CreateTransaction<C> for Runtime
where
    RuntimeCall: From<C>,
{
    type Extension = TxExtension;

    fn create_transaction(call: RuntimeCall, extension: TxExtension) -> UncheckedExtrinsic {
        UncheckedExtrinsic::new_transaction(call, extension)
    }
}

impl<C> frame_system::offchain::CreateAuthorizedTransaction<C> for Runtime
where
    RuntimeCall: From<C>,
{
    fn create_extension() -> TxExtension {
        (
            frame_system::AuthorizeCall::new(),
            frame_system::CheckNonZeroSender::new(),
            frame_system::CheckSpecVersion::new(),
            frame_system::CheckTxVersion::new(),
            frame_system::CheckGenesis::new(),
            frame_system::CheckEra::from(generic::Era::Immortal),
            frame_system::CheckNonce::from(0),
            frame_system::CheckWeight::new(),
            pallet_transaction_payment::ChargeTransactionPayment::from(0),
            frame_system::WeightReclaim::new(),
        )
    }
}
