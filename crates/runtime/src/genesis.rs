//! Genesis presets, answered by `GenesisBuilder_get_preset` as patches of the default genesis.

use crate::{config::*, *};
use frame_support::build_struct_json_patch;
use sp_genesis_builder::PresetId;
use sp_keyring::{Ed25519Keyring, Sr25519Keyring};

/// What each well-known account starts with.
const ENDOWMENT: Balance = 1_000_000 * UNIT;

/// An authority: its account is the sr25519 key, which also makes blocks; the ed25519 key votes for finality.
fn session_keys(babe: Sr25519Keyring, grandpa: Ed25519Keyring) -> (AccountId, AccountId, SessionKeys) {
    let account = babe.to_account_id();
    let keys = SessionKeys { babe: babe.public().into(), grandpa: grandpa.public().into() };
    (account.clone(), account, keys)
}

fn preset(authorities: Vec<(AccountId, AccountId, SessionKeys)>) -> serde_json::Value {
    let validators = authorities.iter().map(|(account, ..)| account.clone()).collect();
    // Alice to Ferdie and their `//stash` accounts.
    let balances = Sr25519Keyring::well_known().map(|key| (key.to_account_id(), ENDOWMENT)).collect();
    build_struct_json_patch!(RuntimeGenesisConfig {
        babe: BabeConfig { epoch_config: EPOCH_CONFIGURATION },
        balances: BalancesConfig { balances },
        validators: ValidatorsConfig { validators },
        session: SessionConfig { keys: authorities },
        sudo: SudoConfig { key: Some(Sr25519Keyring::Alice.to_account_id()) },
    })
}

/// The patch named `id`: `development` has Alice as its only authority, `local_testnet` Alice and Bob.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
    let alice = session_keys(Sr25519Keyring::Alice, Ed25519Keyring::Alice);
    let patch = match id.as_ref() {
        sp_genesis_builder::DEV_RUNTIME_PRESET => preset(vec![alice]),
        sp_genesis_builder::LOCAL_TESTNET_RUNTIME_PRESET => {
            preset(vec![alice, session_keys(Sr25519Keyring::Bob, Ed25519Keyring::Bob)])
        }
        _ => return None,
    };
    Some(serde_json::to_vec(&patch).expect("a JSON value serializes; qed"))
}

/// Every name `get_preset` knows.
pub fn preset_names() -> Vec<PresetId> {
    vec![
        PresetId::from(sp_genesis_builder::DEV_RUNTIME_PRESET),
        PresetId::from(sp_genesis_builder::LOCAL_TESTNET_RUNTIME_PRESET),
    ]
}
