import ts from 'typescript';

/**
 * State that a function sets before an `await` (or a `then`) and resets after it. If what it waits for throws, the
 * state stays set for ever: a lock is never released, a button never enabled. The reset belongs into a `finally`.
 * Lines count from 1.
 */
export type Fault = {
  readonly setLine: number;
  readonly waitLine: number;
  readonly resetLine: number;
  /** The state, as it is written: `this.busy`. */
  readonly target: string;
};

/** A node that changes the state named by `target`. */
type Change = {
  readonly node: ts.Node;
  readonly target: string;
  /** What takes this change back, as the reset has it in `resets`; empty if nothing does. */
  readonly sets: string;
  /** What this change takes back; empty if it only sets. */
  readonly resets: string;
};

const empty = new Set(['false', 'null', 'undefined', '0', '0n', "''", '[]']);

const isFunction = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) || ts.isClassStaticBlockDeclaration(node);

/** Calls back with each node of a function, without the functions in it. */
const visitOwn = (body: ts.Node, visit: (node: ts.Node) => void): void => {
  const walk = (node: ts.Node): void => {
    if (isFunction(node)) return;
    visit(node);
    ts.forEachChild(node, walk);
  };
  walk(body);
};

const rootOf = (node: ts.Expression): ts.Expression =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isNonNullExpression(node)
    ? rootOf(node.expression)
    : node;

/** The variables of a function: `made` with a new value, which nobody else sees, and what each is first (`kept`). */
const readLocals = (body: ts.Node): { readonly made: Set<string>; readonly kept: Map<string, string> } => {
  const made = new Set<string>();
  const kept = new Map<string, string>();
  visitOwn(body, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return;
    const { name, initializer } = node;
    const isNew =
      initializer === undefined ||
      ts.isNewExpression(initializer) ||
      ts.isObjectLiteralExpression(initializer) ||
      ts.isArrayLiteralExpression(initializer);
    if (isNew) made.add(name.text);
    if (initializer !== undefined) kept.set(name.text, initializer.getText());
  });
  return { made, kept };
};

const operators: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.PlusEqualsToken]: '+',
  [ts.SyntaxKind.MinusEqualsToken]: '-',
  [ts.SyntaxKind.PlusPlusToken]: '+',
  [ts.SyntaxKind.MinusMinusToken]: '-',
};
const opposite = (sign: string): string => (sign === '+' ? '-' : '+');

const methods: Readonly<Record<string, 'add' | 'delete'>> = { add: 'add', set: 'add', delete: 'delete' };

/** What a node changes; null if nothing. */
const readChange = (
  node: ts.Node,
  kept: ReadonlyMap<string, string>,
): (Change & { root: ts.Expression }) | null => {
  if (ts.isBinaryExpression(node)) {
    const target = node.left.getText();
    const value = node.right.getText();
    const sign = operators[node.operatorToken.kind];
    const base = { node, target, root: rootOf(node.left) };
    if (sign !== undefined) return { ...base, sets: opposite(sign) + value, resets: sign + value };
    if (node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return null;
    const isReset = empty.has(value) || kept.get(value) === target;
    return isReset ? { ...base, sets: '', resets: '=' } : { ...base, sets: '=', resets: '' };
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const sign = operators[node.operator];
    if (sign === undefined) return null;
    const target = node.operand.getText();
    return { node, target, root: rootOf(node.operand), sets: `${opposite(sign)}1`, resets: `${sign}1` };
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return null;
  const method = methods[node.expression.name.text];
  const [key] = node.arguments;
  if (method === undefined || key === undefined) return null;
  const target = `${node.expression.expression.getText()}[${key.getText()}]`;
  const base = { node, target, root: rootOf(node.expression.expression) };
  return method === 'add' ? { ...base, sets: 'in', resets: '' } : { ...base, sets: '', resets: 'in' };
};

/** What cannot reject: promises with a handler, all settled, and those that a timer or an event resolves. */
const isSafe = (awaited: ts.Expression): boolean => {
  if (ts.isParenthesizedExpression(awaited)) return isSafe(awaited.expression);
  if (ts.isNewExpression(awaited)) {
    const [executor] = awaited.arguments ?? [];
    return executor !== undefined && ts.isFunctionLike(executor) && executor.parameters.length < 2;
  }
  if (!ts.isCallExpression(awaited) || !ts.isPropertyAccessExpression(awaited.expression)) return false;
  const name = awaited.expression.name.text;
  return name === 'catch' || name === 'allSettled' || (name === 'then' && awaited.arguments.length === 2);
};

const mayReject = (node: ts.Node): boolean =>
  ts.isAwaitExpression(node)
    ? !isSafe(node.expression)
    : ts.isForOfStatement(node) && node.awaitModifier !== undefined;

const contains = (outer: ts.Node | undefined, inner: ts.Node): boolean =>
  outer !== undefined && outer.pos <= inner.pos && inner.end <= outer.end;

/** Whether nothing after this block or `case` runs. */
const leaves = (block: ts.Block | ts.CaseOrDefaultClause): boolean => {
  const last = block.statements.at(-1);
  return (
    last !== undefined &&
    (ts.isThrowStatement(last) ||
      ts.isReturnStatement(last) ||
      ts.isBreakStatement(last) ||
      ts.isContinueStatement(last))
  );
};

/** Whether the state also changes when this `await` rejects. */
const isGuarded = (wait: ts.Node, reset: ts.Node, changes: readonly Change[], body: ts.Node): boolean => {
  const isChangedIn = (block: ts.Node | undefined): boolean =>
    changes.some(({ node }) => contains(block, node));
  for (let node = wait; node !== body; node = node.parent) {
    if (!ts.isTryStatement(node)) continue;
    const { tryBlock, catchClause, finallyBlock } = node;
    if (isChangedIn(finallyBlock) && !contains(finallyBlock, wait)) return true;
    if (catchClause === undefined || !contains(tryBlock, wait)) continue;
    if (isChangedIn(catchClause)) return true;
    if (!contains(tryBlock, reset) && !leaves(catchClause.block)) return true;
  }
  return false;
};

/** Whether they are in different branches of this statement. */
const areApart = (parent: ts.Node, a: ts.Node, b: ts.Node): boolean => {
  if (ts.isIfStatement(parent)) return contains(parent.thenStatement, a) && contains(parent.elseStatement, b);
  if (ts.isConditionalExpression(parent))
    return contains(parent.whenTrue, a) && contains(parent.whenFalse, b);
  if (!ts.isCaseBlock(parent)) return false;
  return parent.clauses.some((clause) => contains(clause, a) && !contains(clause, b) && leaves(clause));
};

/** Whether the second may run after the first: it is not in another branch, and the first does not end its block. */
const follows = (first: ts.Node, second: ts.Node, body: ts.Node): boolean => {
  for (let node = first; node !== body; node = node.parent) {
    if (areApart(node, first, second)) return false;
    if (ts.isBlock(node) && !contains(node, second) && leaves(node)) return false;
  }
  return true;
};

const functionsIn = (call: ts.CallExpression): readonly ts.Node[] =>
  call.arguments.filter((argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument));

/** Those of `promise.then(…)` that run later in its chain, also after a rejection: `.then(…).finally(…)`. */
const laterIn = (call: ts.CallExpression): readonly ts.Node[] => {
  const { parent } = call;
  const next =
    ts.isPropertyAccessExpression(parent) && parent.expression === call ? parent.parent : undefined;
  return next !== undefined && ts.isCallExpression(next) ? [...functionsIn(next), ...laterIn(next)] : [];
};

/** What a callback of `then` changes, which does not run after a rejection. */
const changesIn = (call: ts.CallExpression, read: (node: ts.Node) => Change | null): readonly Change[] => {
  const [callback, onRejected] = call.arguments;
  const isThen = ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'then';
  if (!isThen || callback === undefined || onRejected !== undefined || !ts.isArrowFunction(callback))
    return [];
  if (isSafe((call.expression as ts.PropertyAccessExpression).expression)) return [];
  const found: Change[] = [];
  visitOwn(callback.body, (node) => {
    const change = read(node);
    if (change !== null) found.push(change);
  });
  return found;
};

type Found = { readonly set: Change; readonly wait: ts.Node; readonly reset: Change };

/** The faults of one function. */
const checkBody = (body: ts.Node): readonly Found[] => {
  const { made, kept } = readLocals(body);
  const read = (node: ts.Node): Change | null => {
    const change = readChange(node, kept);
    if (change === null) return null;
    const { root, target } = change;
    const isOwn =
      ts.isIdentifier(root) && (made.has(root.text) || (root.text === target && kept.has(target)));
    return isOwn ? null : change;
  };
  const changes: Change[] = [];
  const waits: ts.Node[] = [];
  const calls: ts.CallExpression[] = [];
  visitOwn(body, (node) => {
    if (mayReject(node)) waits.push(node);
    if (ts.isCallExpression(node)) calls.push(node);
    const change = read(node);
    if (change !== null) changes.push(change);
  });
  const faults: Found[] = [];
  const ofTarget = ({ target }: Change): readonly Change[] =>
    changes.filter((change) => change.target === target);
  const setOf = (reset: Change, before: ts.Node): Change | undefined =>
    reset.resets === ''
      ? undefined
      : ofTarget(reset).findLast(
          ({ sets, node }) => sets === reset.resets && node.end <= before.pos && follows(node, before, body),
        );
  for (const reset of changes) {
    const set = setOf(reset, reset.node);
    if (set === undefined) continue;
    const wait = waits.find(
      (node) =>
        node.getStart() >= set.node.end &&
        node.end <= reset.node.pos &&
        follows(set.node, node, body) &&
        follows(node, reset.node, body) &&
        !isGuarded(node, reset.node, ofTarget(reset), body),
    );
    if (wait !== undefined) faults.push({ set, wait, reset });
  }
  for (const call of calls)
    for (const reset of changesIn(call, read)) {
      const set = setOf(reset, call);
      const isMended = laterIn(call).some((later) => later.getText().includes(reset.target));
      if (set !== undefined && !isMended && !isGuarded(call, reset.node, ofTarget(reset), body))
        faults.push({ set, wait: call, reset });
    }
  return faults;
};

/** Finds such state in a module. */
export const findResets = (text: string): readonly Fault[] => {
  const file = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
  const faults: Fault[] = [];
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) && 'body' in node ? (node.body as ts.Node | undefined) : undefined;
    if (body !== undefined)
      for (const { set, wait, reset } of checkBody(body))
        faults.push({
          setLine: lineOf(set.node),
          waitLine: lineOf(wait),
          resetLine: lineOf(reset.node),
          target: set.target,
        });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return faults;
};

/** The scripts of a Svelte component, on the lines where they are; the text of other files. */
export const scriptsOf = (path: string, text: string): string => {
  if (!path.endsWith('.svelte')) return text;
  let script = '';
  for (const { 1: code = '', index, 0: all } of text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    const before = text.slice(0, index + all.indexOf(code));
    const lines = before.split('\n').length - script.split('\n').length;
    script += '\n'.repeat(Math.max(0, lines)) + code;
  }
  return script;
};
