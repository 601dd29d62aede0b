//! The runtime APIs: what the node calls by name.

use crate::{config::UNIT, *};
use frame_support::{build_struct_json_patch, genesis_builder_helper, weights::Weight};
use pallet_transaction_payment::{FeeDetails, RuntimeDispatchInfo};
use sp_core::OpaqueMetadata;
use sp_genesis_builder::PresetId;
use sp_inherents::{CheckInherentsResult, InherentData};
use sp_runtime::{
    traits::Block as BlockT,
    transaction_validity::{TransactionSource, TransactionValidity},
    ApplyExtrinsicResult, ExtrinsicInclusionMode,
};

/// Alith and Baltathar, the first of the well-known development accounts of Moonbeam.
const ALITH: AccountId = AccountId20(sp_core::hex2array!("f24ff3a9cf04c71dbc94d0b566f7a27b94566cac"));
const BALTATHAR: AccountId = AccountId20(sp_core::hex2array!("3cd0a705a2dc65e5b1e1205896baa2be8a07c6e0"));

fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
    if id.as_str() != sp_genesis_builder::DEV_RUNTIME_PRESET {
        return None;
    }
    let patch = build_struct_json_patch!(RuntimeGenesisConfig {
        balances: BalancesConfig {
            balances: vec![(ALITH, 1_000 * UNIT), (BALTATHAR, 1_000 * UNIT)],
        },
        sudo: SudoConfig { key: Some(ALITH) },
    });
    Some(serde_json::to_vec(&patch).expect("a JSON value serializes; qed"))
}

sp_api::impl_runtime_apis! {
    impl sp_api::Core<Block> for Runtime {
        fn version() -> RuntimeVersion {
            VERSION
        }

        fn execute_block(block: <Block as BlockT>::LazyBlock) {
            Executive::execute_block(block)
        }

        fn initialize_block(header: &Header) -> ExtrinsicInclusionMode {
            Executive::initialize_block(header)
        }
    }

    impl sp_api::Metadata<Block> for Runtime {
        fn metadata() -> OpaqueMetadata {
            OpaqueMetadata::new(Runtime::metadata().into())
        }

        fn metadata_at_version(version: u32) -> Option<OpaqueMetadata> {
            Runtime::metadata_at_version(version)
        }

        fn metadata_versions() -> Vec<u32> {
            Runtime::metadata_versions()
        }
    }

    impl sp_block_builder::BlockBuilder<Block> for Runtime {
        fn apply_extrinsic(extrinsic: UncheckedExtrinsic) -> ApplyExtrinsicResult {
            Executive::apply_extrinsic(extrinsic)
        }

        fn finalize_block() -> Header {
            Executive::finalize_block()
        }

        fn inherent_extrinsics(data: InherentData) -> Vec<UncheckedExtrinsic> {
            data.create_extrinsics()
        }

        fn check_inherents(block: <Block as BlockT>::LazyBlock, data: InherentData) -> CheckInherentsResult {
            data.check_extrinsics(&block)
        }
    }

    impl sp_transaction_pool::runtime_api::TaggedTransactionQueue<Block> for Runtime {
        fn validate_transaction(
            source: TransactionSource,
            extrinsic: UncheckedExtrinsic,
            block_hash: Hash,
        ) -> TransactionValidity {
            Executive::validate_transaction(source, extrinsic, block_hash)
        }
    }

    impl sp_offchain::OffchainWorkerApi<Block> for Runtime {
        fn offchain_worker(header: &Header) {
            Executive::offchain_worker(header)
        }
    }

    impl frame_system_rpc_runtime_api::AccountNonceApi<Block, AccountId, Nonce> for Runtime {
        fn account_nonce(account: AccountId) -> Nonce {
            System::account_nonce(account)
        }
    }

    impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> for Runtime {
        fn query_info(extrinsic: UncheckedExtrinsic, len: u32) -> RuntimeDispatchInfo<Balance> {
            TransactionPayment::query_info(extrinsic, len)
        }

        fn query_fee_details(extrinsic: UncheckedExtrinsic, len: u32) -> FeeDetails<Balance> {
            TransactionPayment::query_fee_details(extrinsic, len)
        }

        fn query_weight_to_fee(weight: Weight) -> Balance {
            TransactionPayment::weight_to_fee(weight)
        }

        fn query_length_to_fee(length: u32) -> Balance {
            TransactionPayment::length_to_fee(length)
        }
    }

    impl sp_genesis_builder::GenesisBuilder<Block> for Runtime {
        fn build_state(config: Vec<u8>) -> sp_genesis_builder::Result {
            genesis_builder_helper::build_state::<RuntimeGenesisConfig>(config)
        }

        fn get_preset(id: &Option<sp_genesis_builder::PresetId>) -> Option<Vec<u8>> {
            genesis_builder_helper::get_preset::<RuntimeGenesisConfig>(id, get_preset)
        }

        fn preset_names() -> Vec<sp_genesis_builder::PresetId> {
            vec![PresetId::from(sp_genesis_builder::DEV_RUNTIME_PRESET)]
        }
    }
}
