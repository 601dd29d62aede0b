//! The rounds as `grandpa_roundState` shows them.
use crate::effects::{emit, Effect};
use crate::environment::{Env, GlobalIn, GlobalOut, Hash, Id, Number};
use finality_grandpa::voter::{report, Voter};
use std::collections::HashSet;

/// Round, total weight, threshold, then weight and voters of the prevotes and of the precommits.
type Row = (u64, u64, u64, u64, Vec<Id>, u64, Vec<Id>);

fn sorted(ids: &HashSet<Id>) -> Vec<Id> {
    let mut list: Vec<Id> = ids.iter().copied().collect();
    list.sort_unstable();
    list
}

fn row(round: u64, state: &report::RoundState<Id>) -> Row {
    (
        round,
        state.total_weight.get(),
        state.threshold_weight.get(),
        state.prevote_current_weight.0,
        sorted(&state.prevote_ids),
        state.precommit_current_weight.0,
        sorted(&state.precommit_ids),
    )
}

pub fn emit_report(voter: &Voter<Hash, Number, Env, GlobalIn, GlobalOut>) {
    let state = voter.voter_state().get();
    let (round, best) = &state.best_round;
    let mut background: Vec<Row> =
        state.background_rounds.iter().map(|(round, one)| row(*round, one)).collect();
    background.sort_unstable();
    emit(Effect::Report, (row(*round, best), background));
}
