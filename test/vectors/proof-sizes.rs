//! Makes proof-sizes.json: sp-state-machine 0.54.0, sp-trie 47.0.0, sp-externalities 0.34.0, sp-core 43.0.0.
//! `cargo run > proof-sizes.json`.
use sp_core::storage::{ChildInfo, StateVersion, Storage, StorageChild};
use sp_core::{Blake2Hasher, Hasher, H256};
use sp_externalities::Externalities;
use sp_state_machine::{Ext, InMemoryBackend, OverlayedChanges, TrieBackendBuilder};
use sp_trie::cache::{CacheSize, SharedTrieCache};
use sp_trie::recorder::Recorder;

struct Rng(u64);
impl Rng {
    fn next(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
    fn key(&mut self) -> Vec<u8> {
        let (longest, bytes) = if self.next(2) == 0 { (3, 3) } else { (4, 5) };
        (0..self.next(longest)).map(|_| [0, 1, 16, 0x61, 0xff][self.next(bytes) as usize]).collect()
    }
    /// A byte and how often it is repeated.
    fn value(&mut self) -> (u8, usize) {
        match self.next(4) {
            0 => (self.next(256) as u8, self.next(6) as usize),
            1 => (1, 64),
            _ => (self.next(256) as u8, 31 + self.next(10) as usize),
        }
    }
    fn trie(&mut self) -> &'static str {
        ["", "", "", "", "one", "two", "none"][self.next(7) as usize]
    }
    fn child(&mut self) -> &'static str {
        ["one", "two", "none"][self.next(3) as usize]
    }
}

#[derive(Clone)]
enum Step {
    Get(&'static str, Vec<u8>),
    Exists(&'static str, Vec<u8>),
    Next(&'static str, Vec<u8>),
    Set(&'static str, Vec<u8>, Option<(u8, usize)>),
    Append(Vec<u8>, u8),
    Clear(&'static str, Vec<u8>, Option<u32>, Option<Vec<u8>>),
    Root(u8),
    ChildRoot(&'static str, u8),
    Layer,
    Start,
    End(bool),
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("0x"), |text, byte| text + &format!("{byte:02x}"))
}
fn json<T>(value: &Option<T>, write: impl Fn(&T) -> String) -> String {
    value.as_ref().map_or("null".into(), write)
}
fn quoted(bytes: &Vec<u8>) -> String {
    format!("\"{}\"", hex(bytes))
}
impl Step {
    fn json(&self) -> String {
        use Step::*;
        match self {
            Get(trie, key) => format!("[\"get\",\"{trie}\",{}]", quoted(key)),
            Exists(trie, key) => format!("[\"exists\",\"{trie}\",{}]", quoted(key)),
            Next(trie, key) => format!("[\"next\",\"{trie}\",{}]", quoted(key)),
            Set(trie, key, value) => {
                format!("[\"set\",\"{trie}\",{},{}]", quoted(key), json(value, |(byte, count)| format!("[{byte},{count}]")))
            }
            Append(key, item) => format!("[\"append\",{},{item}]", quoted(key)),
            Clear(trie, prefix, limit, cursor) => format!(
                "[\"clear\",\"{trie}\",{},{},{}]",
                quoted(prefix),
                json(limit, |limit| limit.to_string()),
                json(cursor, quoted)
            ),
            Root(version) => format!("[\"root\",{version}]"),
            ChildRoot(trie, version) => format!("[\"childRoot\",\"{trie}\",{version}]"),
            Layer => "[\"layer\"]".into(),
            Start => "[\"start\"]".into(),
            End(keep) => format!("[\"{}\"]", if *keep { "keep" } else { "drop" }),
        }
    }
}

fn steps(rng: &mut Rng) -> Vec<Step> {
    let mut all = vec![];
    for _ in 0..30 {
        let key = rng.key();
        let version = rng.next(2) as u8;
        match rng.next(22) {
            0..=1 => all.push(Step::Get(rng.trie(), key)),
            2..=3 => all.push(Step::Exists(rng.trie(), key)),
            4..=6 => all.push(Step::Next(rng.trie(), key)),
            7..=10 => {
                let value = if rng.next(2) == 0 { None } else { Some(rng.value()) };
                all.push(Step::Set(rng.trie(), key, value))
            }
            11 => all.push(Step::Append(key, rng.next(256) as u8)),
            12..=14 => {
                let limit = if rng.next(2) == 0 { None } else { Some(rng.next(5) as u32) };
                let cursor = if rng.next(2) == 0 { None } else { Some(rng.key()) };
                all.push(Step::Clear(rng.trie(), key, limit, cursor))
            }
            // The write before it discards a root that was computed before, which an append would not.
            15 => all.extend([Step::Set("", vec![7], Some(rng.value())), Step::Root(version)]),
            16 => all.extend([Step::Set("", vec![7], Some(rng.value())), Step::ChildRoot(rng.child(), version)]),
            17..=18 => all.push(Step::Layer),
            19 => all.push(Step::Start),
            _ => all.push(Step::End(rng.next(2) == 0)),
        }
    }
    all
}

fn version(version: u8) -> StateVersion {
    if version == 0 { StateVersion::V0 } else { StateVersion::V1 }
}
fn bytes((byte, count): (u8, usize)) -> Vec<u8> {
    vec![byte; count]
}

fn call(ext: &mut dyn Externalities, step: &Step) {
    use Step::*;
    let info = |trie: &str| ChildInfo::new_default(trie.as_bytes());
    match step {
        Get("", key) => drop(ext.storage(key)),
        Get(trie, key) => drop(ext.child_storage(&info(trie), key)),
        Exists("", key) => drop(ext.exists_storage(key)),
        Exists(trie, key) => drop(ext.exists_child_storage(&info(trie), key)),
        Next("", key) => drop(ext.next_storage_key(key)),
        Next(trie, key) => drop(ext.next_child_storage_key(&info(trie), key)),
        Set("", key, value) => ext.place_storage(key.clone(), value.map(bytes)),
        Set(trie, key, value) => ext.place_child_storage(&info(trie), key.clone(), value.map(bytes)),
        Append(key, item) => ext.storage_append(key.clone(), vec![*item]),
        Clear("", prefix, limit, cursor) => drop(ext.clear_prefix(prefix, *limit, cursor.as_deref())),
        Clear(trie, prefix, limit, cursor) => drop(ext.clear_child_prefix(&info(trie), prefix, *limit, cursor.as_deref())),
        Root(state) => drop(ext.storage_root(version(*state))),
        ChildRoot(trie, state) => drop(ext.child_storage_root(&info(trie), version(*state))),
        Layer | Start | End(_) => unreachable!(),
    }
}

/// Runs the steps. Each layer begins a call, with a backend of its own.
fn run(entries: &[(&'static str, Vec<u8>, (u8, usize))], made: u8, all: &[Step], is_cached: bool) -> (H256, Vec<usize>, H256) {
    let mut storage = Storage::default();
    for (trie, key, value) in entries {
        if trie.is_empty() {
            storage.top.insert(key.clone(), bytes(*value));
        } else {
            let child_info = ChildInfo::new_default(trie.as_bytes());
            let child = StorageChild { data: Default::default(), child_info };
            storage.children_default.entry(trie.as_bytes().to_vec()).or_insert(child).data.insert(key.clone(), bytes(*value));
        }
    }
    let base: InMemoryBackend<Blake2Hasher> = (storage, version(made)).into();
    let root = *base.root();
    let recorder = Recorder::<Blake2Hasher>::default();
    let shared = SharedTrieCache::<Blake2Hasher>::new(CacheSize::unlimited(), None);
    let mut overlay = OverlayedChanges::<Blake2Hasher>::default();
    let mut open: Vec<bool> = vec![];
    let mut sizes = vec![];
    let mut rest = all.iter().peekable();
    while rest.peek().is_some() {
        let backend = TrieBackendBuilder::new(base.backend_storage().clone(), root)
            .with_optional_cache(is_cached.then(|| shared.local_cache_trusted()))
            .with_recorder(recorder.clone())
            .build();
        let mut has_ended = false;
        while !has_ended {
            let Some(step) = rest.next() else { break };
            match step {
                // The client opens none within a transaction of the runtime.
                Step::Layer if open.last() != Some(&false) => {
                    open.push(true);
                    overlay.start_transaction();
                    recorder.start_transaction();
                    has_ended = true;
                }
                Step::Layer => {}
                Step::Start => {
                    open.push(false);
                    overlay.start_transaction();
                }
                Step::End(keep) => {
                    if let Some(is_host) = open.pop() {
                        if *keep { overlay.commit_transaction().unwrap() } else { overlay.rollback_transaction().unwrap() }
                        if is_host {
                            if *keep { recorder.commit_transaction().unwrap() } else { recorder.rollback_transaction().unwrap() }
                        }
                        has_ended = is_host;
                    }
                }
                other => call(&mut Ext::new(&mut overlay, &backend, None), other),
            }
            sizes.push(recorder.estimate_encoded_size());
        }
    }
    let mut nodes: Vec<H256> = recorder.to_storage_proof().iter_nodes().map(|node| Blake2Hasher::hash(node)).collect();
    nodes.sort();
    (root, sizes, Blake2Hasher::hash(&nodes.iter().flat_map(|node| node.0).collect::<Vec<u8>>()))
}

fn main() {
    // A removal of a key that does not exist can panic in trie-db: such cases are left out.
    std::panic::set_hook(Box::new(|_| {}));
    let mut rng = Rng(7);
    let mut lines = vec![];
    while lines.len() < 100 {
        let made = rng.next(2) as u8;
        let entries: Vec<_> = (0..rng.next(30)).map(|_| (rng.trie(), rng.key(), rng.value())).filter(|entry| entry.0 != "none").collect();
        let all = steps(&mut rng);
        let run = |is_cached| std::panic::catch_unwind(|| run(&entries, made, &all, is_cached));
        let (Ok(found), Ok(cached)) = (run(false), run(true)) else { continue };
        assert_eq!(found, cached);
        let (root, sizes, proof) = found;
        let entries: Vec<_> = entries.iter().map(|(trie, key, (byte, count))| format!("[\"{trie}\",{},[{byte},{count}]]", quoted(key))).collect();
        let steps: Vec<_> = all.iter().map(Step::json).collect();
        lines.push(format!(
            "{{\"made\":{made},\"entries\":[{}],\"root\":\"{}\",\"steps\":[{}],\"sizes\":{:?},\"proof\":\"{}\"}}",
            entries.join(","),
            hex(&root.0),
            steps.join(","),
            sizes,
            hex(&proof.0)
        ));
    }
    println!("[\n{}\n]", lines.join(",\n"));
}
