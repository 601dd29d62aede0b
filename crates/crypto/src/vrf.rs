//! The verifiable random function of BABE (HOST.md §4.2).
//!
//! A transcript argument is: label, u32 count, then count pairs of label and value; each of these with a u32 length.
use crate::base::times_base;
use crate::memory::{output, reset_heap, Arguments, OUTPUT_SIZE};
use crate::sr25519::{keypair, parts, Given};
use merlin::Transcript;
use schnorrkel::context::{attach_rng, SigningTranscript};
use schnorrkel::vrf::{VRFInOut, VRFPreOut, VRFProof};
use schnorrkel::{Keypair, PublicKey};
use zeroize::Zeroizing;

fn read_transcript(arguments: &mut Arguments) -> Transcript {
    let mut transcript = Transcript::new(arguments.bytes());
    for _ in 0..arguments.number() {
        let label = arguments.bytes();
        transcript.append_message(label, arguments.bytes());
    }
    transcript
}

/// `Keypair::dleq_proove` of schnorrkel (https://docs.rs/schnorrkel/0.11.5) in the form of Kusama, with the table of this crate.
fn prove(pair: &Keypair, mut transcript: impl SigningTranscript, in_out: &VRFInOut) -> Option<[u8; 64]> {
    let (key, nonce) = parts(&pair.secret)?;
    transcript.proto_name(b"DLEQProof");
    transcript.commit_point(b"vrf:h", in_out.input.as_compressed());
    // The label ends with a zero byte and the digit.
    let witness = Zeroizing::new(transcript.witness_scalar(b"proving\x000", &[&*nonce]));
    transcript.commit_point(b"vrf:R=g^r", &times_base(&witness).compress());
    transcript.commit_point(b"vrf:h^r", &(*witness * in_out.input.as_point()).compress());
    transcript.commit_point(b"vrf:pk", pair.public.as_compressed());
    transcript.commit_point(b"vrf:h^sk", in_out.output.as_compressed());
    let challenge = transcript.challenge_scalar(b"prove");
    let mut out = [0; 64];
    out[..32].copy_from_slice(challenge.as_bytes());
    out[32..].copy_from_slice((*witness - challenge * *key).as_bytes());
    Some(out)
}

/// Input (`length` bytes): secret 64, randomness 32, transcript. Output: pre-output 32, proof 64.
#[no_mangle]
pub extern "C" fn sr25519_vrf_sign(length: usize) -> u32 {
    reset_heap(length); // the proof's multi-scalar product allocates
    let mut arguments = Arguments::new(length);
    let Some(pair) = keypair(arguments.take(64)) else {
        return 0;
    };
    let random = Given::new(arguments.array());
    let transcript = read_transcript(&mut arguments);
    let in_out = pair.vrf_create_hash(transcript);
    let Some(proof) = prove(&pair, attach_rng(Transcript::new(b"VRF"), random), &in_out) else {
        return 0;
    };
    let out = output(96);
    out[..32].copy_from_slice(in_out.as_output_bytes());
    out[32..].copy_from_slice(&proof);
    1
}

/// Input (`length` bytes): public key 32, pre-output 32, proof 64, transcript.
#[no_mangle]
pub extern "C" fn sr25519_vrf_verify(length: usize) -> u32 {
    reset_heap(length); // the proof's multi-scalar product allocates
    let mut arguments = Arguments::new(length);
    let key = PublicKey::from_bytes(arguments.take(32));
    let pre_output = VRFPreOut::from_bytes(arguments.take(32));
    let proof = VRFProof::from_bytes(arguments.take(64));
    let transcript = read_transcript(&mut arguments);
    match (key, pre_output, proof) {
        (Ok(key), Ok(pre_output), Ok(proof)) => key.vrf_verify(transcript, &pre_output, &proof).is_ok() as u32,
        _ => 0,
    }
}

fn attach(key: &[u8], pre_output: &[u8], transcript: Transcript) -> Option<VRFInOut> {
    let key = PublicKey::from_bytes(key).ok()?;
    VRFPreOut::from_bytes(pre_output).ok()?.attach_input_hash(&key, transcript).ok()
}

/// Input (`length` bytes): public key 32, pre-output 32, u32 length and context, transcript.
/// Output: `size` bytes, as schnorrkel's `make_bytes` (which has the size at compile time only).
#[no_mangle]
pub extern "C" fn sr25519_vrf_make_bytes(length: usize, size: usize) -> u32 {
    let mut arguments = Arguments::new(length);
    let key = arguments.take(32);
    let pre_output = arguments.take(32);
    let context = arguments.bytes();
    if size > OUTPUT_SIZE {
        return 0;
    }
    let Some(in_out) = attach(key, pre_output, read_transcript(&mut arguments)) else {
        return 0;
    };
    let mut result = Transcript::new(b"VRFResult");
    result.append_message(b"", context);
    in_out.commit(&mut result);
    result.challenge_bytes(b"", output(size));
    1
}
