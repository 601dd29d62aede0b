//! What finality-grandpa asks of its surroundings.
use crate::chain;
use crate::effects::{emit, Effect};
use finality_grandpa::round::State;
use finality_grandpa::voter::{CommunicationIn, CommunicationOut, Environment, RoundData};
use finality_grandpa::{
    Chain, Commit, CompactCommit, Equivocation, Error, HistoricalVotes, Message, Precommit, Prevote,
    PrimaryPropose, SignedMessage,
};
use futures::channel::mpsc;
use futures::future::{ready, Ready};
use futures::{Future, Sink};
use parity_scale_codec::{Decode, Encode};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

pub type Hash = [u8; 32];
pub type Id = [u8; 32];
pub type Number = u32;

#[derive(Clone, PartialEq, Eq, Debug, Encode, Decode)]
pub struct Sig([u8; 64]);

#[derive(Debug)]
pub struct Failure(String);

impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

static NOW: AtomicU64 = AtomicU64::new(0);
/// The timers that were found waiting. Rounds in the background are only polled when their timers wake them.
static WAITING: Mutex<Vec<(u64, Waker)>> = Mutex::new(Vec::new());

/// Wakes the timers that are due.
pub fn set_now(now: u64) {
    NOW.store(now, Relaxed);
    let due: Vec<_> = WAITING.lock().expect("one thread").extract_if(.., |(when, _)| *when <= now).collect();
    for (_, waker) in due {
        waker.wake();
    }
}

/// When the next timer is due; the highest number if none waits.
pub fn next_due() -> u64 {
    WAITING.lock().expect("one thread").iter().map(|(when, _)| *when).min().unwrap_or(u64::MAX)
}

fn wait(when: u64, waker: &Waker) {
    let mut waiting = WAITING.lock().expect("one thread");
    if !waiting.iter().any(|(other, known)| *other == when && known.will_wake(waker)) {
        waiting.push((when, waker.clone()));
    }
}

pub struct Timer(u64);

impl Timer {
    fn after(ms: u64) -> Self {
        Self(NOW.load(Relaxed).saturating_add(ms))
    }
}

impl Future for Timer {
    type Output = Result<(), Failure>;
    fn poll(self: Pin<&mut Self>, context: &mut Context) -> Poll<Self::Output> {
        if NOW.load(Relaxed) >= self.0 {
            return Poll::Ready(Ok(()));
        }
        wait(self.0, context.waker());
        Poll::Pending
    }
}

type Signed = SignedMessage<Hash, Number, Sig, Id>;
type Votes = mpsc::UnboundedReceiver<Result<Signed, Failure>>;

pub struct Env {
    set_id: u64,
    local: Option<Id>,
    gossip: u64,
    rounds: Mutex<HashMap<u64, mpsc::UnboundedSender<Result<Signed, Failure>>>>,
}

impl Env {
    pub fn new(set_id: u64, local: Option<Id>, gossip: u64) -> Self {
        Self { set_id, local, gossip, rounds: Mutex::default() }
    }

    /// Whether the round runs.
    pub fn send(&self, round: u64, vote: Signed) -> bool {
        let rounds = self.rounds.lock().expect("one thread");
        rounds.get(&round).is_some_and(|sender| sender.unbounded_send(Ok(vote)).is_ok())
    }
}

/// Takes the voter's own votes.
pub struct Out {
    round: u64,
    set_id: u64,
    is_voter: bool,
}

impl Sink<Message<Hash, Number>> for Out {
    type Error = Failure;
    fn poll_ready(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }
    fn start_send(self: Pin<&mut Self>, message: Message<Hash, Number>) -> Result<(), Failure> {
        if self.is_voter {
            emit(Effect::Vote, (self.round, self.set_id, message));
        }
        Ok(())
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }
    fn poll_close(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }
}

impl Chain<Hash, Number> for Env {
    fn ancestry(&self, base: Hash, block: Hash) -> Result<Vec<Hash>, Error> {
        chain::between(&base, &block).ok_or(Error::NotDescendent)
    }
}

impl Environment<Hash, Number> for Env {
    type Timer = Timer;
    type BestChain = Ready<Result<Option<(Hash, Number)>, Failure>>;
    type Id = Id;
    type Signature = Sig;
    type In = Votes;
    type Out = Out;
    type Error = Failure;

    fn best_chain_containing(&self, base: Hash) -> Self::BestChain {
        ready(Ok(chain::best_on(&base)))
    }
    fn round_data(&self, round: u64) -> RoundData<Id, Timer, Votes, Out> {
        let (sender, incoming) = mpsc::unbounded();
        self.rounds.lock().expect("one thread").insert(round, sender);
        emit(Effect::Round, round);
        RoundData {
            voter_id: self.local,
            prevote_timer: Timer::after(2 * self.gossip),
            precommit_timer: Timer::after(4 * self.gossip),
            incoming,
            outgoing: Out { round, set_id: self.set_id, is_voter: self.local.is_some() },
        }
    }
    fn round_commit_timer(&self) -> Timer {
        Timer::after(self.gossip)
    }
    // The host sees the own votes in `Out`, and records them before they leave.
    fn proposed(&self, _: u64, _: PrimaryPropose<Hash, Number>) -> Result<(), Failure> {
        Ok(())
    }
    fn prevoted(&self, _: u64, _: Prevote<Hash, Number>) -> Result<(), Failure> {
        Ok(())
    }
    fn precommitted(&self, _: u64, _: Precommit<Hash, Number>) -> Result<(), Failure> {
        Ok(())
    }
    fn completed(
        &self,
        round: u64,
        _: State<Hash, Number>,
        base: (Hash, Number),
        votes: &HistoricalVotes<Hash, Number, Sig, Id>,
    ) -> Result<(), Failure> {
        emit(Effect::Completed, (round, base, votes.seen()));
        Ok(())
    }
    fn concluded(
        &self,
        round: u64,
        _: State<Hash, Number>,
        _: (Hash, Number),
        _: &HistoricalVotes<Hash, Number, Sig, Id>,
    ) -> Result<(), Failure> {
        self.rounds.lock().expect("one thread").remove(&round);
        Ok(())
    }
    fn finalize_block(
        &self,
        _: Hash,
        _: Number,
        round: u64,
        commit: Commit<Hash, Number, Sig, Id>,
    ) -> Result<(), Failure> {
        emit(Effect::Finalized, (round & !crate::APART, commit));
        Ok(())
    }
    fn prevote_equivocation(&self, round: u64, found: Equivocation<Id, Prevote<Hash, Number>, Sig>) {
        emit(Effect::PrevoteTwice, (round, found));
    }
    fn precommit_equivocation(&self, round: u64, found: Equivocation<Id, Precommit<Hash, Number>, Sig>) {
        emit(Effect::PrecommitTwice, (round, found));
    }
}

pub type GlobalIn = mpsc::UnboundedReceiver<Result<CommunicationIn<Hash, Number, Sig, Id>, Failure>>;

/// Takes the voter's commits.
pub struct GlobalOut;

impl Sink<CommunicationOut<Hash, Number, Sig, Id>> for GlobalOut {
    type Error = Failure;
    fn poll_ready(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }
    fn start_send(self: Pin<&mut Self>, out: CommunicationOut<Hash, Number, Sig, Id>) -> Result<(), Failure> {
        let CommunicationOut::Commit(round, commit) = out;
        emit(Effect::Commit, (round, CompactCommit::from(commit)));
        Ok(())
    }
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }
    fn poll_close(self: Pin<&mut Self>, _: &mut Context) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }
}
