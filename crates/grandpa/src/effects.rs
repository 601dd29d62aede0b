//! What the voter wants of its host, in order.
use parity_scale_codec::Encode;
use std::cell::UnsafeCell;

/// The kinds, as worker/consensus/grandpa/voter/module.ts reads them.
#[derive(Clone, Copy)]
#[repr(u8)]
pub enum Effect {
    /// (round, message): an own vote, to be recorded, signed and sent.
    Vote = 0,
    /// round: one begins.
    Round = 1,
    /// (round, base, votes): one can be left.
    Completed = 2,
    /// (round, commit): a block is final.
    Finalized = 3,
    /// (round, equivocation).
    PrevoteTwice = 4,
    PrecommitTwice = 5,
    /// (round, compact commit), to be sent.
    Commit = 6,
    /// (round, whether it is good).
    CommitJudged = 7,
    /// 0: good, 1: bad, 2: useless.
    CatchUpJudged = 8,
    /// (best round, background rounds).
    Report = 9,
    /// Why the voter has ended.
    Ended = 255,
}

struct Out(UnsafeCell<Vec<u8>>);
// The module has one thread.
unsafe impl Sync for Out {}
static OUT: Out = Out(UnsafeCell::new(Vec::new()));

#[allow(clippy::mut_from_ref)]
fn out() -> &'static mut Vec<u8> {
    unsafe { &mut *OUT.0.get() }
}

pub fn emit<T: Encode>(kind: Effect, what: T) {
    let body = what.encode();
    let all = out();
    all.push(kind as u8);
    all.extend_from_slice(&(body.len() as u32).to_le_bytes());
    all.extend_from_slice(&body);
}

pub fn place() -> *const u8 {
    out().as_ptr()
}

pub fn length() -> usize {
    out().len()
}

pub fn clear() {
    out().clear();
}
