//! Ed25519 by the ZIP-215 rules (HOST.md §6).
use crate::memory::{put, Arguments};
use ed25519_zebra::{Signature, SigningKey, VerificationKey};

/// Input: signature 64, public key 32, message.
#[no_mangle]
pub extern "C" fn ed25519_verify(message_length: usize) -> u32 {
    let mut arguments = Arguments::new(96 + message_length);
    let signature = Signature::from(arguments.array::<64>());
    let Ok(key) = VerificationKey::try_from(arguments.array::<32>()) else {
        return 0;
    };
    key.verify(&signature, arguments.take(message_length)).is_ok() as u32
}

/// Input: seed 32, message. Output: signature 64.
#[no_mangle]
pub extern "C" fn ed25519_sign(message_length: usize) {
    let mut arguments = Arguments::new(32 + message_length);
    let key = SigningKey::from(arguments.array::<32>());
    put(&key.sign(arguments.take(message_length)).to_bytes());
}

/// Input: seed 32. Output: public key 32.
#[no_mangle]
pub extern "C" fn ed25519_public() {
    let key = SigningKey::from(Arguments::new(32).array::<32>());
    put(&<[u8; 32]>::from(VerificationKey::from(&key)));
}
