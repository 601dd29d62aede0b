//! The voter of finality-grandpa, unmodified, as a synchronous machine.
//!
//! ABI. The host allocates with `alloc`, writes SCALE there and calls a function with its place. `poll` lets the voter
//! work until nothing more follows; what it wants lies at `out_ptr()` as a list of effects, each a byte for its kind, a
//! u32 length and SCALE (`effects.rs`). The voter's votes leave unsigned: the host records, signs and sends them, and
//! returns them with `vote`. Messages must have been checked before: signatures, set id, and that their blocks are known
//! under the numbers they name. One voter per instance.
mod chain;
mod effects;
mod environment;
mod report;

use effects::{emit, Effect};
use environment::{Env, GlobalIn, GlobalOut, Hash, Id, Number, Sig};
use finality_grandpa::voter::{
    Callback, CatchUpProcessingOutcome, CommitProcessingOutcome, CommunicationIn, Voter,
};
use finality_grandpa::{voter_set::VoterSet, CatchUp, CompactCommit, SignedMessage};
use futures::channel::mpsc;
use futures::task::{waker_ref, ArcWake};
use futures::Future;
use parity_scale_codec::Decode;
use std::cell::UnsafeCell;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::Arc;
use std::task::{Context, Poll};

struct Machine {
    env: Arc<Env>,
    voter: Voter<Hash, Number, Env, GlobalIn, GlobalOut>,
    global: mpsc::UnboundedSender<Result<CommunicationIn<Hash, Number, Sig, Id>, environment::Failure>>,
    /// Whether something has happened since the voter was polled. One for all polls, so that timers know its waker.
    flag: Arc<Flag>,
}

struct Slot(UnsafeCell<Option<Machine>>);
// The module has one thread.
unsafe impl Sync for Slot {}
static MACHINE: Slot = Slot(UnsafeCell::new(None));

#[allow(clippy::mut_from_ref)]
fn machine() -> &'static mut Machine {
    unsafe { (*MACHINE.0.get()).as_mut().expect("start comes first") }
}

fn bytes<'a>(start: *const u8, length: usize) -> &'a [u8] {
    unsafe { std::slice::from_raw_parts(start, length) }
}

const DONE: i32 = 0;
const UNREADABLE: i32 = -1;
const REFUSED: i32 = -2;

/// The set's id and voters, the local voter, the gossip duration (ms), the last completed round with its votes and its
/// base, and the finalized block.
type Start = (
    u64,
    Vec<(Id, u64)>,
    Option<Id>,
    u64,
    u64,
    Vec<SignedMessage<Hash, Number, Sig, Id>>,
    (Hash, Number),
    (Hash, Number),
);

#[no_mangle]
pub extern "C" fn start(place: *const u8, length: usize, now: u64) -> i32 {
    environment::set_now(now);
    let Ok((set_id, voters, local, gossip, round, votes, base, finalized)) =
        Start::decode(&mut bytes(place, length))
    else {
        return UNREADABLE;
    };
    let Some(set) = VoterSet::new(voters) else { return REFUSED };
    let env = Arc::new(Env::new(set_id, local, gossip));
    let (global, incoming) = mpsc::unbounded();
    let flag = Arc::new(Flag(AtomicBool::new(true)));
    let voter = Voter::new(env.clone(), set, (incoming, GlobalOut), round, votes, base, finalized);
    unsafe { *MACHINE.0.get() = Some(Machine { env, voter, global, flag }) };
    DONE
}

/// A checked vote of a round. `REFUSED` if no such round runs.
#[no_mangle]
pub extern "C" fn vote(round: u64, place: *const u8, length: usize) -> i32 {
    let Ok(signed) = SignedMessage::decode(&mut bytes(place, length)) else { return UNREADABLE };
    match machine().env.send(round, signed) {
        true => DONE,
        false => REFUSED,
    }
}

/// A checked commit.
///
/// The crate would put the votes of a commit into its round if that round still runs, and end with an error if one of
/// them is below the round's base. No round has a number with the highest bit, so such a commit is judged by itself.
const APART: u64 = 1 << 63;

#[no_mangle]
pub extern "C" fn commit(round: u64, place: *const u8, length: usize) -> i32 {
    let Ok(compact) = CompactCommit::decode(&mut bytes(place, length)) else { return UNREADABLE };
    let note = Callback::Work(Box::new(move |outcome| {
        emit(Effect::CommitJudged, (round, matches!(outcome, CommitProcessingOutcome::Good(_))));
    }));
    let sent = machine().global.unbounded_send(Ok(CommunicationIn::Commit(round | APART, compact, note)));
    sent.map_or(REFUSED, |()| DONE)
}

/// A checked reply to a request to catch up.
#[no_mangle]
pub extern "C" fn catch_up(place: *const u8, length: usize) -> i32 {
    let Ok(reply) = CatchUp::decode(&mut bytes(place, length)) else { return UNREADABLE };
    let note = Callback::Work(Box::new(|outcome| {
        let verdict = match outcome {
            CatchUpProcessingOutcome::Good(_) => 0u8,
            CatchUpProcessingOutcome::Bad(_) => 1,
            CatchUpProcessingOutcome::Useless => 2,
        };
        emit(Effect::CatchUpJudged, verdict);
    }));
    let sent = machine().global.unbounded_send(Ok(CommunicationIn::CatchUp(reply, note)));
    sent.map_or(REFUSED, |()| DONE)
}

struct Flag(AtomicBool);

impl ArcWake for Flag {
    fn wake_by_ref(flag: &Arc<Self>) {
        flag.0.store(true, Relaxed);
    }
}

/// Works as far as possible at a time (ms). `REFUSED` if the voter has ended, with the reason as an effect.
#[no_mangle]
pub extern "C" fn poll(now: u64) -> i32 {
    environment::set_now(now);
    let flag = machine().flag.clone();
    flag.0.store(true, Relaxed);
    let waker = waker_ref(&flag);
    let mut context = Context::from_waker(&waker);
    while flag.0.swap(false, Relaxed) {
        let before = effects::length();
        match Pin::new(&mut machine().voter).poll(&mut context) {
            Poll::Pending if effects::length() > before => flag.0.store(true, Relaxed),
            Poll::Pending => {}
            Poll::Ready(end) => {
                emit(Effect::Ended, end.map_or_else(|failure| failure.to_string(), |()| String::new()));
                return REFUSED;
            }
        }
    }
    DONE
}

/// Adds the state of the rounds as an effect.
#[no_mangle]
pub extern "C" fn report() {
    report::emit_report(&machine().voter);
}

/// When the next timer is due (ms); the highest number if none is set.
#[no_mangle]
pub extern "C" fn due() -> u64 {
    environment::next_due()
}

#[no_mangle]
pub extern "C" fn out_ptr() -> *const u8 {
    effects::place()
}

#[no_mangle]
pub extern "C" fn out_len() -> usize {
    effects::length()
}

#[no_mangle]
pub extern "C" fn out_clear() {
    effects::clear();
}

#[no_mangle]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut room = std::mem::ManuallyDrop::new(Vec::<u8>::with_capacity(length));
    room.as_mut_ptr()
}

/// # Safety
/// `place` must come from `alloc` with the same length.
#[no_mangle]
pub unsafe extern "C" fn dealloc(place: *mut u8, length: usize) {
    drop(Vec::from_raw_parts(place, 0, length));
}
