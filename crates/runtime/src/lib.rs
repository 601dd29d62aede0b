//! The default runtime of Tabnode.
//!
//! A FRAME runtime with BABE, GRANDPA, sessions, balances, fees and the pallets a dApp author reaches for.
//! It is built for `wasm32v1-none` only: `scripts/build-runtime.mjs` writes the module and its manifest to
//! `public/`.

#![no_std]

extern crate alloc;

use alloc::{borrow::Cow, vec, vec::Vec};
use polkadot_sdk::*;
use sp_runtime::{
    generic, impl_opaque_keys,
    traits::{BlakeTwo256, IdentifyAccount, Verify},
    MultiAddress, MultiSignature,
};
use sp_version::RuntimeVersion;

mod apis;
mod config;
mod genesis;
pub mod pallets;

/// `runtime_version` reads its numbers as literals, so the constant is written by a macro.
macro_rules! runtime_version {
    (spec_version: $spec_version:tt) => {
        /// What `Core_version` answers; also kept in the `runtime_version` section of the module.
        #[sp_version::runtime_version]
        pub const VERSION: RuntimeVersion = RuntimeVersion {
            spec_name: Cow::Borrowed("tabnode"),
            impl_name: Cow::Borrowed("tabnode"),
            authoring_version: 1,
            spec_version: $spec_version,
            impl_version: 1,
            apis: apis::RUNTIME_API_VERSIONS,
            transaction_version: 1,
            // State trie V1, extrinsics root V0.
            system_version: 1,
        };
    };
}

#[cfg(not(feature = "next"))]
runtime_version!(spec_version: 101);
#[cfg(feature = "next")]
runtime_version!(spec_version: 102);

pub type Signature = MultiSignature;
pub type AccountId = <<Signature as Verify>::Signer as IdentifyAccount>::AccountId;
pub type Balance = u128;
pub type BlockNumber = u32;
pub type Nonce = u32;
pub type Hash = sp_core::H256;
pub type Address = MultiAddress<AccountId, ()>;
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
pub type Block = generic::Block<Header, UncheckedExtrinsic>;
pub type UncheckedExtrinsic = generic::UncheckedExtrinsic<Address, RuntimeCall, Signature, TxExtension>;

/// The checks each signed or general transaction passes, in this order.
pub type TxExtension = (
    frame_system::AuthorizeCall<Runtime>,
    frame_system::CheckNonZeroSender<Runtime>,
    frame_system::CheckSpecVersion<Runtime>,
    frame_system::CheckTxVersion<Runtime>,
    frame_system::CheckGenesis<Runtime>,
    frame_system::CheckEra<Runtime>,
    frame_system::CheckNonce<Runtime>,
    frame_system::CheckWeight<Runtime>,
    pallet_transaction_payment::ChargeTransactionPayment<Runtime>,
    frame_system::WeightReclaim<Runtime>,
);

pub type Executive = frame_executive::Executive<
    Runtime,
    Block,
    frame_system::ChainContext<Runtime>,
    Runtime,
    AllPalletsWithSystem,
>;

impl_opaque_keys! {
    pub struct SessionKeys {
        pub babe: Babe,
        pub grandpa: Grandpa,
    }
}

#[frame_support::runtime]
mod runtime {
    #[runtime::runtime]
    #[runtime::derive(
        RuntimeCall,
        RuntimeEvent,
        RuntimeError,
        RuntimeOrigin,
        RuntimeFreezeReason,
        RuntimeHoldReason,
        RuntimeSlashReason,
        RuntimeLockId,
        RuntimeTask,
        RuntimeViewFunction
    )]
    pub struct Runtime;

    #[runtime::pallet_index(0)]
    pub type System = frame_system::Pallet<Runtime>;
    // BABE reads its slot from the timestamp's hook, so it stands before Timestamp.
    #[runtime::pallet_index(1)]
    pub type Babe = pallet_babe::Pallet<Runtime>;
    #[runtime::pallet_index(2)]
    pub type Timestamp = pallet_timestamp::Pallet<Runtime>;
    #[runtime::pallet_index(3)]
    pub type Authorship = pallet_authorship::Pallet<Runtime>;
    #[runtime::pallet_index(4)]
    pub type Balances = pallet_balances::Pallet<Runtime>;
    #[runtime::pallet_index(5)]
    pub type TransactionPayment = pallet_transaction_payment::Pallet<Runtime>;
    // Session asks for the first validators while it builds its genesis: Validators must be built before it.
    #[runtime::pallet_index(6)]
    pub type Validators = crate::pallets::validators::Pallet<Runtime>;
    #[runtime::pallet_index(7)]
    pub type Offences = pallet_offences::Pallet<Runtime>;
    #[runtime::pallet_index(8)]
    pub type Historical = pallet_session::historical::Pallet<Runtime>;
    #[runtime::pallet_index(9)]
    pub type Session = pallet_session::Pallet<Runtime>;
    #[runtime::pallet_index(10)]
    pub type Grandpa = pallet_grandpa::Pallet<Runtime>;
    #[runtime::pallet_index(11)]
    pub type Sudo = pallet_sudo::Pallet<Runtime>;
    #[runtime::pallet_index(12)]
    pub type Utility = pallet_utility::Pallet<Runtime>;
    #[runtime::pallet_index(13)]
    pub type Proxy = pallet_proxy::Pallet<Runtime>;
    #[runtime::pallet_index(14)]
    pub type Multisig = pallet_multisig::Pallet<Runtime>;
    #[runtime::pallet_index(15)]
    pub type Preimage = pallet_preimage::Pallet<Runtime>;
    #[runtime::pallet_index(16)]
    pub type Scheduler = pallet_scheduler::Pallet<Runtime>;
    #[runtime::pallet_index(17)]
    pub type Assets = pallet_assets::Pallet<Runtime>;
    #[runtime::pallet_index(18)]
    pub type Contracts = pallet_contracts::Pallet<Runtime>;
    #[runtime::pallet_index(19)]
    pub type Observer = crate::pallets::observer::Pallet<Runtime>;
}
