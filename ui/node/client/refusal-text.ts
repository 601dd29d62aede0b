import { errorCodes } from '../../../src/protocol/errors.ts';
import { explainedText, isTrap, rawFault, trapText } from '../../kit/text/format.ts';

/** What each code of the node means, and what to do. A code without a line has that of its thousand. */
const sentences = `
Disconnected The node, its connection or the page ended first. The outcome is unknown.
-32999 Too many calls. Try again later.
-32810 The node does not have this data. Check the CID.
-32804 A block is listed twice. List it once.
-32803 The operation is not paused. Continue it when it asks you to.
-32802 The follow was opened without \`withRuntime\`. Open one with it.
-32801 The block is not pinned. Use a block that the follow reported.
-32800 Too many follows are open. Close one.
-32700 The request is not JSON. Check its syntax.
-32603 The node failed. Try again later.
-32602 The parameters are not valid. Check their number, order and types.
-32601 The node does not have this method, or denies it as unsafe. Use another one.
-32600 The request is not valid. Check the method and the parameters.
-32011 The responses are too large. Send fewer calls.
-32010 The batch is too large. Send fewer calls.
-32009 The node is busy. Try again later.
-32008 The response is too large. Request less.
-32007 The request is too large. Send less.
-32006 Too many subscriptions are open. Close one.
-32005 The node does not accept batches. Run the calls one at a time.
1 The chain or its runtime refused this. Check the parameters.
2 The bytes are not an extrinsic. Check that they are complete.
3 The voter’s round numbers are too large. Restart the node.
4 The block cannot be proven final. Use a finalized block.
1001 The bytes are not an extrinsic. Check that they are complete.
1002 The runtime could not check the transaction. Build it with the current metadata.
1010 The transaction is not valid. Check the nonce, the signature and the balance of the signer.
1011 The runtime does not know whether the transaction is valid. Check the signer and the call.
1012 The transaction is banned for a while. Send it again later.
1013 The transaction is in the pool. Wait for a block.
1014 The pool has a transaction with this nonce. Raise the tip, or use the next nonce.
1015 The transaction depends on itself. Check its tags.
1016 The pool is full. Send it again after the next block.
1017 The key type is not known. Use another one, such as babe.
1018 This node can neither include the transaction nor pass it on. Use a node that authors blocks.
1019 The pool cannot identify the transaction. Sign it.
1021 The pool does not accept future transactions. Send the earlier nonce first.
1040 The node could not do this. Check the bytes or the key type.
2002 The address of the peer is not valid. Check it.
3000 The node does not have this block, or cannot read it. Check its number or hash.
4001 The block range is not valid. Its last block must descend from the first.
4002 Too many keys. Request fewer.
4000 The state of the block could not be read, or its runtime failed. Check the block and the parameters.
4004 The node does not record calls. Use state_call.
4005 The node does not record calls. Use state_call.
5001 The node has no such storage. Use PERSISTENT.
5003 The offchain database is full. Remove values that are no longer needed.
6003 The block could not be executed again. Use a newer block.
8000 The proof could not be generated or is not valid. Check the block numbers.
9000 The epoch could not be read. Check that the chain uses BABE.
11000 The block could not be imported. Check the parent.
12000 The pool is empty. Set create_empty to true.
13000 The node does not have this block. Check its number or hash.
14000 The block violates a consensus rule. Use a descendant of the finalized block.
15000 The inherents could not be created. Check the chain’s clock.
16000 The database of the node failed. Free disk space.
20000 The block could not be finalized. Use a descendant of the finalized block.
`;
const sentenceOf = (code: unknown): string | undefined =>
  new RegExp(`^${code} (.*)`, 'm').exec(sentences)?.[1];

/** What an error of the node means, and what to do; the node's own words often are those of its decoder. */
export const refusalText = (error: unknown): string => {
  const explained = explainedText(error);
  if (explained !== undefined) return explained;
  const { code, data } = (error ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  // The methods of development tools name one of the node's own codes.
  const own = (errorCodes as Readonly<Record<string, string>>)[String(data)];
  const number = Number(code);
  return own ?? sentenceOf(code) ?? sentenceOf(number - (number % 1000)) ?? '';
};

/** The same, and the node's own words; of a trap, without its backtrace. */
export const refusedText = (error: unknown): string =>
  isTrap(error) ? trapText(error) : `${refusalText(error)} ${rawFault(error)}`.trimStart();
