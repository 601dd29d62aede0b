//! Keys from seeds and phrases (https://docs.rs/sp-core, `Pair::from_string`). The answers are secrets: the caller wipes them.
use crate::memory::{put, Arguments};
use crate::sr25519::{keypair, Given};
use merlin::Transcript;
use schnorrkel::context::attach_rng;
use schnorrkel::derive::ChainCode;
use schnorrkel::{ExpansionMode, MiniSecretKey};
use sha2::{Digest, Sha512};

const ROUNDS: usize = 2048;
const BLOCK: usize = 128;

fn keyed(key: &[u8], pad: u8) -> Sha512 {
    let mut block = [pad; BLOCK];
    for (byte, part) in block.iter_mut().zip(key) {
        *byte ^= part;
    }
    Sha512::new_with_prefix(block)
}

fn finish(state: &Sha512, message: &[u8]) -> Sha512 {
    let mut state = state.clone();
    state.update(message);
    state
}

/// PBKDF2-HMAC-SHA512 with 2048 rounds (BIP-39), over the entropy as substrate-bip39 has it: the first 32 bytes.
/// Input: entropy of at most 128 bytes, salt. Output: seed 32.
#[no_mangle]
pub extern "C" fn phrase_seed(entropy_length: usize, salt_length: usize) {
    let mut arguments = Arguments::new(entropy_length + salt_length);
    let entropy = arguments.take(entropy_length);
    assert!(entropy.len() <= BLOCK);
    // The state after the padded key is the same in all rounds.
    let (inner, outer) = (keyed(entropy, 0x36), keyed(entropy, 0x5c));
    let mut first = finish(&inner, arguments.take(salt_length));
    first.update(1u32.to_be_bytes());
    let mut round = finish(&outer, &first.finalize()).finalize();
    let mut sum = round;
    for _ in 1..ROUNDS {
        round = finish(&outer, &finish(&inner, &round).finalize()).finalize();
        for (byte, part) in sum.iter_mut().zip(&round) {
            *byte ^= part;
        }
    }
    put(&sum[..32]);
}

/// Input: seed 32. Output: secret 64.
#[no_mangle]
pub extern "C" fn sr25519_secret() {
    let mut arguments = Arguments::new(32);
    match MiniSecretKey::from_bytes(arguments.take(32)) {
        Ok(seed) => put(&seed.expand(ExpansionMode::Ed25519).to_ed25519_bytes()),
        Err(_) => core::arch::wasm32::unreachable(),
    }
}

/// Input: secret 64, chain code 32, randomness 32 (of the nonce; soft only). Output: secret 64 (soft) or seed 32 (hard).
/// Returns 0 for a malformed secret.
#[no_mangle]
pub extern "C" fn sr25519_derive(soft: u32) -> u32 {
    let mut arguments = Arguments::new(128);
    let Some(pair) = keypair(arguments.take(64)) else {
        return 0;
    };
    let code = ChainCode(arguments.array());
    let mut transcript = Transcript::new(b"SchnorrRistrettoHDKD");
    transcript.append_message(b"sign-bytes", &[]);
    if soft != 0 {
        // As `Derivation::derived_key_simple_rng` has it, which works out the public key again.
        let rng = attach_rng(transcript, Given::new(arguments.array()));
        put(&pair.derive_secret_key(rng, code).0.to_ed25519_bytes());
    } else {
        // As `hard_derive_mini_secret_key` has it, without the chain code for a next step.
        let mut seed = [0; 32];
        transcript.append_message(b"chain-code", &code.0);
        transcript.append_message(b"secret-key", &pair.secret.to_bytes()[..32]);
        transcript.challenge_bytes(b"HDKD-hard", &mut seed);
        put(&seed);
    }
    1
}
