//! Makes trie-value-proofs.json: sp-trie 47.0.0, sp-core 43.0.0 (default features off). `cargo run > vectors.json`.
use sp_core::{Blake2Hasher, Hasher, KeccakHasher};
use sp_trie::{
    generate_trie_proof, verify_trie_proof, LayoutV0, LayoutV1, MemoryDB, TrieConfiguration,
    TrieDBMutBuilder, TrieLayout, TrieMut,
};
struct Rng(u64);
impl Rng {
    fn next(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next(256) as u8).collect()
    }
}
fn hex(b: &[u8]) -> String {
    let mut s = String::from("0x");
    for x in b {
        s += &format!("{:02x}", x);
    }
    s
}
fn run<L: TrieConfiguration + TrieLayout<Hash = H>, H: Hasher<Out = sp_core::H256>>(
    rng: &mut Rng,
    name: &str,
    version: u8,
    out: &mut Vec<String>,
) {
    for round in 0..8 {
        let mut pairs = std::collections::BTreeMap::new();
        for _ in 0..(1 + rng.next(if round % 3 == 0 { 4 } else { 40 })) {
            let mut key: Vec<u8> = {
                let n = rng.next(4) as usize;
                (0..n)
                    .map(|_| [0u8, 1, 16, 0xab][rng.next(4) as usize])
                    .collect()
            };
            if rng.next(2) == 0 {
                let n = rng.next(40) as usize;
                key.extend(rng.bytes(n));
            }
            let len = [0usize, 1, 5, 31, 32, 33, 34, 80][rng.next(8) as usize];
            pairs.insert(key, rng.bytes(len));
        }
        let mut db = MemoryDB::<H>::with_hasher(sp_trie::RandomState::default());
        let mut root = Default::default();
        {
            let mut t = TrieDBMutBuilder::<L>::new(&mut db, &mut root).build();
            for (k, v) in &pairs {
                t.insert(k, v).ok().unwrap();
            }
        }
        let keys: Vec<_> = pairs.keys().cloned().collect();
        for turn in 0..6 {
            let key = keys[rng.next(keys.len() as u64) as usize].clone();
            let mut value = pairs[&key].clone();
            let mut proof: Vec<Vec<u8>> =
                generate_trie_proof::<L, _, _, _>(&db, root, &[key.clone()])
                    .ok()
                    .unwrap();
            let mut asked = key.clone();
            match turn {
                0 => {}
                1 => {
                    let n = rng.next(4);
                    match n {
                        0 => value.push(0),
                        1 => {
                            proof.pop();
                        }
                        2 => proof.push(vec![0x41, 1, 0]),
                        _ => asked.push(1),
                    }
                }
                4 => {
                    let i = rng.next(proof.len() as u64) as usize;
                    proof[i].push(rng.next(256) as u8);
                }
                5 => {
                    let i = rng.next(proof.len() as u64) as usize;
                    if proof[i].len() > 1 {
                        proof[i][1] |= (1 + rng.next(15) as u8) << 4;
                    }
                }
                2 => {
                    let i = rng.next(proof.len() as u64) as usize;
                    if proof[i].is_empty() {
                        continue;
                    }
                    let j = rng.next(proof[i].len() as u64) as usize;
                    proof[i][j] ^= 1 << rng.next(8);
                }
                _ => {
                    let missing = {
                        let mut k = key.clone();
                        if rng.next(2) == 0 || k.is_empty() {
                            k.push(rng.next(256) as u8)
                        } else {
                            k.pop();
                        }
                        k
                    };
                    asked = missing;
                    if let Some(v) = pairs.get(&asked) {
                        value = v.clone()
                    }
                    proof = generate_trie_proof::<L, _, _, _>(&db, root, &[asked.clone()])
                        .ok()
                        .unwrap();
                }
            }
            let ok = verify_trie_proof::<L, _, _, _>(
                &root,
                &proof,
                &[(asked.clone(), Some(value.clone()))],
            )
            .is_ok();
            let p: Vec<String> = proof.iter().map(|n| format!("\"{}\"", hex(n))).collect();
            out.push(format!("{{\"hash\":\"{}\",\"version\":{},\"root\":\"{}\",\"proof\":[{}],\"key\":\"{}\",\"value\":\"{}\",\"ok\":{}}}", name, version, hex(root.as_ref()), p.join(","), hex(&asked), hex(&value), ok));
        }
    }
}
fn main() {
    let mut rng = Rng(7);
    let mut out = vec![];
    run::<LayoutV0<Blake2Hasher>, Blake2Hasher>(&mut rng, "blake2_256", 0, &mut out);
    run::<LayoutV1<Blake2Hasher>, Blake2Hasher>(&mut rng, "blake2_256", 1, &mut out);
    run::<LayoutV0<KeccakHasher>, KeccakHasher>(&mut rng, "keccak_256", 0, &mut out);
    run::<LayoutV1<KeccakHasher>, KeccakHasher>(&mut rng, "keccak_256", 1, &mut out);
    println!("[\n{}\n]", out.join(",\n"));
}
