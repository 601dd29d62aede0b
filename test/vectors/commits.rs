// Commits with the verdicts of the SDK's own rules, printed as JSON: one object a line.
//
// A binary crate with `finality-grandpa = "0.16.3"`; the program prints the file. `verdict` is finality-grandpa's
// `validate_commit` followed by what `GrandpaJustification::verify_with_voter_set` of sc-consensus-grandpa 0.46
// checks besides signatures, which this file leaves out: a signature is a number here, and all are valid.
//
// Block i is at height `heights[i]` and its parent is block `parents[i]`; 0 has none. `headers` are the blocks whose
// headers the justification holds. A precommit is [voter, block, height that was signed, signature].
use finality_grandpa::{validate_commit, voter_set::VoterSet, Chain, Commit, Error, Precommit, SignedPrecommit};
use std::collections::{HashMap, HashSet};

/// xorshift64*: the same commits in every run.
struct Dice(u64);
impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit
    }
    fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }
}

/// `AncestryChain` of sc-consensus-grandpa: parents by hash.
struct Ancestry(HashMap<u32, u32>);
impl Chain<u32, u32> for Ancestry {
    fn ancestry(&self, base: u32, block: u32) -> Result<Vec<u32>, Error> {
        let mut route = Vec::new();
        let mut current = block;
        while current != base {
            current = *self.0.get(&current).ok_or(Error::NotDescendent)?;
            route.push(current);
        }
        route.pop();
        Ok(route)
    }
}

type Votes = Vec<SignedPrecommit<u32, u32, u32, u32>>;

/// `verify_with_voter_set` without its signatures.
fn verdict(commit: &Commit<u32, u32, u32, u32>, voters: &VoterSet<u32>, chain: &Ancestry) -> bool {
    match validate_commit(commit, voters, chain) {
        Ok(result) if result.is_valid() => {}
        _ => return false,
    }
    let lowest = commit.precommits.iter().map(|signed| &signed.precommit).min_by_key(|vote| vote.target_number);
    let base = lowest.expect("a valid commit has votes").target_hash;
    let mut visited = HashSet::new();
    for signed in &commit.precommits {
        let target = signed.precommit.target_hash;
        if target == base {
            continue;
        }
        match chain.ancestry(base, target) {
            Ok(route) => {
                visited.insert(target);
                visited.extend(route);
            }
            Err(_) => return false,
        }
    }
    visited == chain.0.keys().copied().collect()
}

fn main() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let (mut valid, mut invalid) = (0, 0);
    while valid < 200 || invalid < 200 {
        let blocks = 2 + dice.below(6) as u32;
        let mut parents = vec![0u32];
        let mut heights = vec![10u32];
        for block in 1..blocks {
            let parent = if dice.chance(3) { dice.below(block as u64) as u32 } else { block - 1 };
            parents.push(parent);
            heights.push(heights[parent as usize] + 1);
        }
        let count = 1 + dice.below(5) as u32;
        let weights: Vec<u64> = (0..count).map(|_| if dice.chance(8) { 0 } else { 1 + dice.below(3) }).collect();
        let Some(voters) = VoterSet::new(weights.iter().enumerate().map(|(id, weight)| (id as u32, *weight))) else {
            continue;
        };
        let target = dice.below(blocks as u64) as u32;
        let above = |block: u32| {
            let mut at = block;
            while heights[at as usize] > heights[target as usize] {
                at = parents[at as usize];
            }
            at == target
        };
        let mut votes: Votes = Vec::new();
        let vote = |dice: &mut Dice, id: u32, votes: &mut Votes| {
            let mut block = dice.below(blocks as u64) as u32;
            // Most votes are for the target or above it, so that there are valid commits.
            while !above(block) && !dice.chance(12) {
                block = dice.below(blocks as u64) as u32;
            }
            let number = heights[block as usize] + if dice.chance(60) { 1 } else { 0 };
            let signature = if dice.chance(8) { 1 } else { 0 };
            let precommit = Precommit { target_hash: block, target_number: number };
            votes.push(SignedPrecommit { precommit, signature, id });
        };
        for id in 0..count {
            if !dice.chance(8) {
                vote(&mut dice, id, &mut votes);
            }
        }
        // Further votes, mostly of one voter; the id after the last is of nobody.
        let again = dice.below(count as u64 + 1) as u32;
        for _ in 0..dice.below(4) {
            let id = if dice.chance(3) { dice.below(count as u64 + 1) as u32 } else { again };
            vote(&mut dice, id, &mut votes);
        }
        if !votes.is_empty() && dice.chance(6) {
            let copied = votes[dice.below(votes.len() as u64) as usize].clone();
            votes.push(copied);
        }
        // The headers that the votes need, sometimes one more or one fewer.
        let base = votes.iter().min_by_key(|signed| signed.precommit.target_number);
        let base = base.map_or(0, |signed| signed.precommit.target_hash);
        let mut headers: Vec<u32> = Vec::new();
        for signed in &votes {
            let mut at = signed.precommit.target_hash;
            while at != base && at != 0 {
                if !headers.contains(&at) {
                    headers.push(at);
                }
                at = parents[at as usize];
            }
        }
        headers.retain(|_| !dice.chance(40));
        let more = 1 + dice.below(blocks as u64 - 1) as u32;
        if dice.chance(20) && !headers.contains(&more) {
            headers.push(more);
        }
        let chain = Ancestry(headers.iter().map(|block| (*block, parents[*block as usize])).collect());
        let number = heights[target as usize];
        let commit = Commit { target_hash: target, target_number: number, precommits: votes };
        let is_valid = verdict(&commit, &voters, &chain);
        let kind = if is_valid { &mut valid } else { &mut invalid };
        if *kind == 200 {
            continue;
        }
        *kind += 1;
        let precommits: Vec<String> = commit
            .precommits
            .iter()
            .map(|vote| {
                let Precommit { target_hash, target_number } = vote.precommit;
                format!("[{},{target_hash},{target_number},{}]", vote.id, vote.signature)
            })
            .collect();
        let separator = if valid + invalid == 1 { "[\n" } else { ",\n" };
        let line = format!(
            "{{\"parents\":{parents:?},\"heights\":{heights:?},\"headers\":{headers:?},\"weights\":{weights:?},\
             \"target\":{target},\"precommits\":[{}],\"verdict\":{is_valid}}}",
            precommits.join(",")
        );
        print!("{separator}{}", line.replace(' ', ""));
    }
    println!("\n]");
}
