/** The database of Bob's node (ui/chain/pair), which is deleted with it and is not a chain in the list. */
export const pairDatabase = 'tabnode-pair-bob';
