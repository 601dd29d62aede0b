/** The database of Bob's node (ui/pair), which is deleted with it and is no chain of the list. */
export const pairDatabase = 'tabnode-pair-bob';
