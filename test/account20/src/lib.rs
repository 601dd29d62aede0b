//! A runtime whose accounts are those of Ethereum (20 bytes, ECDSA), for tests. It has no consensus. polkadot-js knows such
//! accounts by their path, `account::AccountId20`, so the types are here.

#![no_std]

extern crate alloc;

use alloc::{borrow::Cow, format, vec, vec::Vec};
use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use core::fmt;
use polkadot_sdk::*;
use scale_info::TypeInfo;
use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};
use sha3::{Digest, Keccak256};
use sp_core::ecdsa;
use sp_runtime::{
    generic,
    traits::{BlakeTwo256, IdentifyAccount, Lazy, Verify},
};
use sp_version::RuntimeVersion;

mod apis;
mod config;

#[sp_version::runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
    spec_name: Cow::Borrowed("account20"),
    impl_name: Cow::Borrowed("account20"),
    authoring_version: 1,
    spec_version: 1,
    impl_version: 1,
    apis: apis::RUNTIME_API_VERSIONS,
    transaction_version: 1,
    system_version: 1,
};

pub type Signature = EthereumSignature;
pub type AccountId = AccountId20;
pub type Balance = u128;
pub type BlockNumber = u32;
pub type Nonce = u32;
pub type Hash = sp_core::H256;
pub type Header = generic::Header<BlockNumber, BlakeTwo256>;
pub type Block = generic::Block<Header, UncheckedExtrinsic>;
pub type UncheckedExtrinsic = generic::UncheckedExtrinsic<AccountId, RuntimeCall, Signature, TxExtension>;

pub type TxExtension = (
    frame_system::CheckNonZeroSender<Runtime>,
    frame_system::CheckSpecVersion<Runtime>,
    frame_system::CheckTxVersion<Runtime>,
    frame_system::CheckGenesis<Runtime>,
    frame_system::CheckEra<Runtime>,
    frame_system::CheckNonce<Runtime>,
    frame_system::CheckWeight<Runtime>,
    pallet_transaction_payment::ChargeTransactionPayment<Runtime>,
);

pub type Executive = frame_executive::Executive<
    Runtime,
    Block,
    frame_system::ChainContext<Runtime>,
    Runtime,
    AllPalletsWithSystem,
>;

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
    #[runtime::pallet_index(1)]
    pub type Timestamp = pallet_timestamp::Pallet<Runtime>;
    #[runtime::pallet_index(2)]
    pub type Balances = pallet_balances::Pallet<Runtime>;
    #[runtime::pallet_index(3)]
    pub type TransactionPayment = pallet_transaction_payment::Pallet<Runtime>;
    #[runtime::pallet_index(4)]
    pub type Sudo = pallet_sudo::Pallet<Runtime>;
    #[runtime::pallet_index(5)]
    pub type Utility = pallet_utility::Pallet<Runtime>;
}

/// The last 20 bytes of the Keccak-256 of a secp256k1 key.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo,
)]
pub struct AccountId20(pub [u8; 20]);

impl fmt::Display for AccountId20 {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:?}", sp_core::H160(self.0))
    }
}

impl fmt::Debug for AccountId20 {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for AccountId20 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{self}"))
    }
}

impl<'de> Deserialize<'de> for AccountId20 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <alloc::string::String as Deserialize>::deserialize(deserializer)?;
        parse(&text).ok_or_else(|| D::Error::custom("no account of 20 bytes"))
    }
}

/// `0x` and 40 digits.
fn parse(text: &str) -> Option<AccountId20> {
    let digits = text.strip_prefix("0x")?;
    if digits.len() != 40 || !digits.is_ascii() {
        return None;
    }
    let mut id = [0; 20];
    for (at, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).ok()?;
    }
    Some(AccountId20(id))
}

/// As those of Moonbeam and of Frontier, it hashes inside of the module, and not with the node's `keccak_256`.
fn keccak(bytes: &[u8]) -> [u8; 32] {
    Keccak256::digest(bytes).into()
}

#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode, DecodeWithMemTracking, TypeInfo)]
pub struct EthereumSignature(pub ecdsa::Signature);

impl Verify for EthereumSignature {
    type Signer = EthereumSigner;

    fn verify<L: Lazy<[u8]>>(&self, mut msg: L, signer: &AccountId20) -> bool {
        let digest = keccak(msg.get());
        match sp_io::crypto::secp256k1_ecdsa_recover(self.0.as_ref(), &digest) {
            Ok(key) => keccak(&key)[12..] == signer.0,
            Err(_) => false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode, TypeInfo)]
pub struct EthereumSigner(AccountId20);

impl IdentifyAccount for EthereumSigner {
    type AccountId = AccountId20;

    fn into_account(self) -> AccountId20 {
        self.0
    }
}
