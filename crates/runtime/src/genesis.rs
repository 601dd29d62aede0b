//! Genesis presets, answered by `GenesisBuilder_get_preset` as patches of the default genesis.

use crate::{config::*, *};
use frame_support::build_struct_json_patch;
use sp_genesis_builder::PresetId;
use sp_keyring::{Ed25519Keyring, Sr25519Keyring};

/// What each well-known account starts with.
const ENDOWMENT: Balance = 1_000_000 * UNIT;

/// Slots of the sessions of `development`: an hour.
const LONG_SESSION: u64 = 3_600_000 / SLOT_MS;
/// Slots of the sessions of `local_testnet`: two minutes, so that their changes can be watched.
const SHORT_SESSION: u64 = 120_000 / SLOT_MS;

/// An authority: its account is the sr25519 key, which also makes blocks; the ed25519 key votes for finality.
fn session_keys(babe: Sr25519Keyring, grandpa: Ed25519Keyring) -> (AccountId, AccountId, SessionKeys) {
    let account = babe.to_account_id();
    let keys = SessionKeys { babe: babe.public().into(), grandpa: grandpa.public().into() };
    (account.clone(), account, keys)
}

fn preset(authorities: Vec<(AccountId, AccountId, SessionKeys)>, session_slots: u64) -> serde_json::Value {
    let validators = authorities.iter().map(|(account, ..)| account.clone()).collect();
    // Alice to Ferdie and their `//stash` accounts.
    let balances = Sr25519Keyring::well_known().map(|key| (key.to_account_id(), ENDOWMENT)).collect();
    build_struct_json_patch!(RuntimeGenesisConfig {
        babe: BabeConfig { epoch_config: EPOCH_CONFIGURATION },
        balances: BalancesConfig { balances },
        validators: ValidatorsConfig { validators, session_slots: Some(session_slots) },
        session: SessionConfig { keys: authorities },
        sudo: SudoConfig { key: Some(Sr25519Keyring::Alice.to_account_id()) },
    })
}

/// The patch named `id`: `development` has Alice as its only authority and long sessions, `local_testnet` Alice and
/// Bob and short ones.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
    let alice = session_keys(Sr25519Keyring::Alice, Ed25519Keyring::Alice);
    let patch = match id.as_ref() {
        sp_genesis_builder::DEV_RUNTIME_PRESET => preset(vec![alice], LONG_SESSION),
        sp_genesis_builder::LOCAL_TESTNET_RUNTIME_PRESET => {
            let bob = session_keys(Sr25519Keyring::Bob, Ed25519Keyring::Bob);
            preset(vec![alice, bob], SHORT_SESSION)
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
