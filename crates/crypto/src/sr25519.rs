//! Schnorr signatures over ristretto255 (HOST.md §6).
use crate::base::times_base;
use crate::memory::{put, Arguments};
use curve25519_dalek::scalar::Scalar;
use merlin::Transcript;
use rand_core::{CryptoRng, Error, RngCore};
use schnorrkel::context::{attach_rng, SigningContext, SigningTranscript};
use schnorrkel::{Keypair, PublicKey, SecretKey, Signature};
use zeroize::Zeroizing;

const CONTEXT: &[u8] = b"substrate";

/// 32 random bytes given by the caller, to be drawn once; a second draw traps instead of repeating them.
pub struct Given(Option<[u8; 32]>);

impl Given {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(Some(bytes))
    }
}

impl CryptoRng for Given {}
impl RngCore for Given {
    fn next_u32(&mut self) -> u32 {
        core::arch::wasm32::unreachable()
    }
    fn next_u64(&mut self) -> u64 {
        core::arch::wasm32::unreachable()
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        match self.0.take() {
            Some(bytes) => out.copy_from_slice(&bytes),
            None => core::arch::wasm32::unreachable(),
        }
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(out);
        Ok(())
    }
}

/// The scalar of a secret key and the seed of its nonces.
#[inline(never)]
pub fn parts(secret: &SecretKey) -> Option<(Zeroizing<Scalar>, Zeroizing<[u8; 32]>)> {
    let bytes = Zeroizing::new(secret.to_bytes());
    let (mut key, mut nonce) = (Zeroizing::new([0; 32]), Zeroizing::new([0; 32]));
    key.copy_from_slice(&bytes[..32]);
    nonce.copy_from_slice(&bytes[32..]);
    let key: Option<Scalar> = Scalar::from_canonical_bytes(*key).into();
    key.map(|key| (Zeroizing::new(key), nonce))
}

/// From a secret key in the form of wasm-crypto and scure: scalar times eight, then the nonce.
#[inline(never)]
pub fn keypair(secret: &[u8]) -> Option<Keypair> {
    let secret = SecretKey::from_ed25519_bytes(secret).ok()?;
    let public = PublicKey::from_point(times_base(&parts(&secret)?.0));
    Some(Keypair { secret, public })
}

/// `Keypair::sign` of schnorrkel (https://docs.rs/schnorrkel/0.11.5), with the table of this crate.
fn sign(pair: &Keypair, mut transcript: impl SigningTranscript) -> Option<[u8; 64]> {
    let (key, nonce) = parts(&pair.secret)?;
    transcript.proto_name(b"Schnorr-sig");
    transcript.commit_point(b"sign:pk", pair.public.as_compressed());
    let witness = Zeroizing::new(transcript.witness_scalar(b"signing", &[&*nonce]));
    let point = times_base(&witness).compress();
    transcript.commit_point(b"sign:R", &point);
    let challenge = transcript.challenge_scalar(b"sign:c");
    let mut out = [0; 64];
    out[..32].copy_from_slice(point.as_bytes());
    out[32..].copy_from_slice((challenge * *key + *witness).as_bytes());
    // What marks the scheme.
    out[63] |= 128;
    Some(out)
}

fn transcript(message: &[u8]) -> Transcript {
    SigningContext::new(CONTEXT).bytes(message)
}

fn check(signature: &[u8], key: &[u8], message: &[u8]) -> bool {
    match (Signature::from_bytes(signature), PublicKey::from_bytes(key)) {
        (Ok(signature), Ok(key)) => key.verify(transcript(message), &signature).is_ok(),
        _ => false,
    }
}

/// Input: signature 64, public key 32, message.
#[no_mangle]
pub extern "C" fn sr25519_verify(message_length: usize) -> u32 {
    let mut arguments = Arguments::new(96 + message_length);
    check(arguments.take(64), arguments.take(32), arguments.take(message_length)) as u32
}

/// As `sr25519_verify`, but a signature without the marker bit is checked the pre-audit way.
#[no_mangle]
pub extern "C" fn sr25519_verify_legacy(message_length: usize) -> u32 {
    let mut arguments = Arguments::new(96 + message_length);
    let signature = arguments.take(64);
    let Ok(key) = PublicKey::from_bytes(arguments.take(32)) else {
        return 0;
    };
    key.verify_simple_preaudit_deprecated(CONTEXT, arguments.take(message_length), signature).is_ok() as u32
}

/// Input: secret 64, randomness 32, message. Output: signature 64. Returns 0 for a malformed secret.
#[no_mangle]
pub extern "C" fn sr25519_sign(message_length: usize) -> u32 {
    let mut arguments = Arguments::new(96 + message_length);
    let Some(pair) = keypair(arguments.take(64)) else {
        return 0;
    };
    let random = Given::new(arguments.array());
    let Some(signature) = sign(&pair, attach_rng(transcript(arguments.take(message_length)), random)) else {
        return 0;
    };
    put(&signature);
    1
}

/// Input: secret 64. Output: public key 32.
#[no_mangle]
pub extern "C" fn sr25519_public() -> u32 {
    let mut arguments = Arguments::new(64);
    let Some(pair) = keypair(arguments.take(64)) else {
        return 0;
    };
    put(&pair.public.to_bytes());
    1
}
