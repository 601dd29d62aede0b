//! The host's chain.
use crate::environment::{Hash, Number};

#[link(wasm_import_module = "host")]
extern "C" {
    /// The number of blocks strictly between two, and, if there is room for them, their hashes, newest first.
    /// -1 if the first is no ancestor of the second.
    fn ancestry(base: *const u8, block: *const u8, room: *mut u8, capacity: usize) -> i32;
    /// Writes hash and number of the block to vote for on top of `base`. -1 if there is none.
    fn best_containing(base: *const u8, room: *mut u8) -> i32;
}

const FIRST_ROOM: usize = 64;

pub fn between(base: &Hash, block: &Hash) -> Option<Vec<Hash>> {
    let mut room = vec![[0; 32]; FIRST_ROOM];
    loop {
        let count = unsafe { ancestry(base.as_ptr(), block.as_ptr(), room.as_mut_ptr().cast(), room.len()) };
        let count = usize::try_from(count).ok()?;
        if count <= room.len() {
            room.truncate(count);
            return Some(room);
        }
        room.resize(count, [0; 32]);
    }
}

pub fn best_on(base: &Hash) -> Option<(Hash, Number)> {
    let mut room = [0; 36];
    let found = unsafe { best_containing(base.as_ptr(), room.as_mut_ptr()) };
    if found < 0 {
        return None;
    }
    let (hash, number) = room.split_at(32);
    Some((hash.try_into().ok()?, u32::from_le_bytes(number.try_into().ok()?)))
}
