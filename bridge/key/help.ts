const schemePart = '  --scheme SCHEME      sr25519 (default), ed25519 or ecdsa';

const signingPart = `  --scheme SCHEME      sr25519 (default), ed25519, ecdsa or ethereum: as polkadot-js signs with accounts of 20 bytes,
                       over the Keccak-256 hash of the message, without the text that personal_sign puts before it`;

const passwordPart = `  --password TEXT      password of the key, in place of the one after /// in its URI
  --password-filename FILE
                       the same, from a file; a line break at its end is ignored
  --password-interactive
                       ask for it on the terminal`;

const outputPart = `  --network, -n NAME   network of the address: a name of the SS58 registry, such as polkadot, or its prefix
  --output-type TYPE   text (default) or json
  --json               JSON on one line`;

const messagePart = `  --message TEXT       the message (default: stdin)
  --file FILE          the same, from a file
  --hex                the message is given in hexadecimal`;

const uriPart = `A secret URI is PHRASE//hard/soft///password, or a seed of 32 bytes in hexadecimal in place of the phrase. Without
either, the key is derived from the development phrase, as in //Alice. If it names a file, the URI is read from there.
If it is left out, you are asked for it on the terminal, or it is read from stdin. Arguments are visible to others on
this machine.`;

const placePart = `  --chain CHAIN        development (default), local_testnet, a specification (.json) or a runtime (.wasm)
  --preset NAME        genesis preset of a runtime given as .wasm
  --base-path, -d DIR  where chains are stored (default: the user's data folder)`;

/** The texts of `tabnode key COMMAND --help`. */
export const keyHelp = {
  export: `Usage: tabnode key export [OPTIONS]

Saves a key as an encrypted JSON account, which the polkadot-js extension, other wallets and the devtools open.
${uriPart}

  --suri URI           the secret URI
  --scheme SCHEME      sr25519 (default), ed25519, ecdsa or ethereum (a private key, or PHRASE/m/44'/60'/0'/0/0)
  --name NAME          name of the account
  --file FILE          where it is written (default: stdout)
  --yes, -y            replace a file that exists
  --password TEXT      password of the JSON account
  --password-filename FILE
                       the same, from a file; a line break at its end is ignored
  --password-interactive
                       ask for it on the terminal
  --json               JSON on one line

Example: tabnode key export --suri secret.txt --name Mine --file mine.json --password-interactive`,

  generate: `Usage: tabnode key generate [OPTIONS]

Generates a random phrase and shows its key. Anyone who sees the phrase controls the account.

  --words, -w N        words of the phrase: 12 (default), 15, 18, 21 or 24
  --language NAME      word list: english (default), chineseSimplified, chineseTraditional, french, italian, japanese,
                       korean or spanish
${schemePart}
${passwordPart}
${outputPart}

Example: tabnode key generate --words 24 --network polkadot`,

  'generate-node-key': `Usage: tabnode key generate-node-key [OPTIONS]

Generates the ed25519 key of a node's network identity. The secret goes to stdout or into a file that only its owner can
read, the peer id to stderr.

  --file FILE          write it to a file
  --bin                32 bytes (default: 64 hexadecimal digits)
  --base-path, -d DIR  write it to chains/ID/network/secret_ed25519 in this folder, where native nodes look for it
  --default-base-path  the same in the user's data folder
  --chain CHAIN        the chain whose ID is used: development (default), local_testnet, a specification or a runtime
  --preset NAME        genesis preset of a runtime given as .wasm
  --yes, -y            replace a file that exists
  --json               JSON on one line

Example: tabnode key generate-node-key --file node-key`,

  'inspect-node-key': `Usage: tabnode key inspect-node-key [OPTIONS]

Prints the peer id that belongs to the key of a node's network identity.

  --file FILE          the secret (default: stdin)
  --bin                the secret is 32 bytes (default: 64 hexadecimal digits)
  --json               JSON on one line

Example: tabnode key inspect-node-key --file node-key`,

  inspect: `Usage: tabnode key inspect [OPTIONS] [URI]

Shows what belongs to a phrase, a seed, a secret URI, an address, a public key, or a JSON account of polkadot-js,
which is verified with its --password. A phrase may be of any BIP-39 word list.
${uriPart}

  --public             the URI is a public key in hexadecimal
  --expect-public KEY  fail unless this is the public key or address before derivation
${schemePart}
${passwordPart}
${outputPart}

Example: tabnode key inspect //Alice --scheme ed25519`,

  insert: `Usage: tabnode key insert [OPTIONS]

Adds a key to the keystore of a chain on disk, as author_insertKey does on a running node.
${uriPart}

  --suri URI           the secret URI
  --file FILE          a JSON account of polkadot-js in its place, with its --password: ed25519 or ecdsa, because those
                       of sr25519 have no seed
  --key-type TYPE      four characters, such as babe, gran or acco; required
  --scheme SCHEME      sr25519, ed25519 or ecdsa; required unless the key is that of a JSON account
${passwordPart}
${placePart}
  --tmp                refused: a chain in memory keeps no keys
  --dev                the development chain, with --base-path
  --json               JSON on one line

Example: tabnode key insert --key-type gran --scheme ed25519 --suri //Alice`,

  sign: `Usage: tabnode key sign [OPTIONS]

Signs a message and prints the signature in hexadecimal. The URI may be the file of a JSON account, with its --password.
${uriPart}

  --suri URI           the secret URI
${messagePart}
${signingPart}
${passwordPart}
  --json               JSON on one line

Example: echo -n hello | tabnode key sign --suri secret.txt`,

  verify: `Usage: tabnode key verify [OPTIONS] SIGNATURE [URI]

Verifies the signature of a message. URI is the signer's address, public key or secret URI; the exit code is 1 if the
signature is not theirs.

${messagePart}
${signingPart}
  --json               JSON on one line

Example: echo -n hello | tabnode key verify 0xSIGNATURE 5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY`,
} as const;
