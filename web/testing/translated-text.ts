import { parseSync } from 'vite';

/** A node of the syntax tree (ESTree with JSX). */
interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

export interface Finding {
  line: number;
  problem: string;
}

/**
 * Finds what breaks once a browser's translator has replaced the texts of the page. React still holds
 * the texts that are gone: it can neither remove one nor insert an element before one. The only text
 * of an element is safe, because React replaces the element's whole content.
 */
export function findTextTraps(file: string, source: string): Finding[] {
  const { program, errors } = parseSync(file, source, { preserveParens: false });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const findings: Finding[] = [];
  const report = ({ start }: Node, problem: string) =>
    findings.push({ line: source.slice(0, start).split('\n').length, problem });
  walk(program as unknown as Node, (node) => {
    if (node.type === 'JSXFragment') checkChildren(node, true, report);
    if (node.type === 'JSXExpressionContainer') {
      for (const reused of reusedWithTexts([node['expression'] as Node])) {
        report(reused, 'an element without a key that replaces another one of its type');
      }
    }
    const results = resultsOf(node);
    for (const result of results) {
      if (judge(result).kind === 'text') report(result, 'a component that is a bare text');
    }
    for (const reused of reusedWithTexts(results)) {
      report(reused, 'an element without a key that replaces another one of its type');
    }
    if (node.type !== 'JSXElement') return true;
    checkChildren(node, false, report);
    const { name, attributes } = node['openingElement'] as { name: Node; attributes: Node[] };
    const hasValue = attributes.some(
      ({ type, name: own }) =>
        type === 'JSXSpreadAttribute' || (own as Node | undefined)?.['name'] === 'value',
    );
    if (name['name'] === 'option' && !hasValue) {
      report(node, 'an option without a value: its text is its value, and translators change it');
    }
    return true;
  });
  return findings;
}

/** What a component returns, except from the functions within it. */
function resultsOf(node: Node): Node[] {
  const [id, made] =
    node.type === 'FunctionDeclaration' ? [node['id'], node] : [node['id'], node['init']];
  const name = (id as Node | null | undefined)?.['name'];
  const component = made as Node | null | undefined;
  if (typeof name !== 'string' || !/^[A-Z][a-z]/.test(name) || !component?.['body']) return [];
  const body = component['body'] as Node;
  if (body.type !== 'BlockStatement') return [body];
  const results: Node[] = [];
  walk(body, (inner) => {
    if (/Function/.test(inner.type)) return false;
    if (inner.type === 'ReturnStatement' && inner['argument']) {
      results.push(inner['argument'] as Node);
    }
    return true;
  });
  return results;
}

/**
 * React takes an element for the one before it at the same place if it has the same type and no key. It
 * then removes the texts within, unless they are the only content.
 */
function reusedWithTexts(results: Node[]): Node[] {
  const elements = results.flatMap(branchesOf).filter(({ type }) => type === 'JSXElement');
  return elements.filter(
    (one) =>
      hasSplitText(one) &&
      elements.some((other) => other !== one && typeAndKey(other) === typeAndKey(one)),
  );
}

const branchesOf = (node: Node): Node[] =>
  node.type === 'ConditionalExpression'
    ? [node['consequent'] as Node, node['alternate'] as Node].flatMap(branchesOf)
    : [node];

function typeAndKey(element: Node): string {
  const { name, attributes } = element['openingElement'] as { name: Node; attributes: Node[] };
  const key = attributes.find(({ name: own }) => (own as Node | undefined)?.['name'] === 'key');
  return `${name['name']} ${key ? JSON.stringify((key['value'] as Node)['value'] ?? key.start) : ''}`;
}

/** Whether a text has siblings, anywhere within. */
function hasSplitText(element: Node): boolean {
  let isSplit = false;
  walk(element, (node) => {
    if (node.type === 'JSXElement') {
      const children = (node['children'] as Node[]).filter((child) => !isBlank(child));
      isSplit ||= children.length > 1 && children.some((child) => judge(child).kind === 'text');
    }
    return !isSplit;
  });
  return isSplit;
}

/** A fragment's children stand in its parent, next to what the file does not show. */
function checkChildren(
  parent: Node,
  isFragment: boolean,
  report: (node: Node, problem: string) => void,
) {
  const children = (parent['children'] as Node[]).filter((child) => !isBlank(child));
  if (children.length === 1 && !isFragment) return;
  let comesAndGoes = false;
  for (const child of children) {
    const { kind, isConditional } = judge(child);
    if (kind === 'text' && isFragment) report(child, 'a bare text in a fragment');
    else if (kind === 'text' && isConditional) report(child, 'a bare text that is conditional');
    else if (kind !== 'element' && comesAndGoes && !isConditional)
      report(child, 'a bare text after what comes and goes');
    // An element that always stands there is what React inserts before.
    comesAndGoes = isConditional || (comesAndGoes && kind === 'unknown');
  }
}

interface Judgment {
  kind: 'text' | 'element' | 'unknown';
  isConditional: boolean;
}

function judge(node: Node): Judgment {
  const always = (kind: Judgment['kind']): Judgment => ({ kind, isConditional: false });
  switch (node.type) {
    case 'JSXExpressionContainer':
      return judge(node['expression'] as Node);
    case 'Literal':
      return always(typeof node['value'] === 'string' ? 'text' : 'unknown');
    case 'JSXText':
    case 'TemplateLiteral':
    case 'BinaryExpression':
      return always('text');
    case 'JSXElement':
    case 'ArrowFunctionExpression':
      return always('element');
    case 'CallExpression':
      // Lists come and go.
      return isCallOf(node, ...MAKE_ELEMENTS)
        ? always('element')
        : { kind: 'unknown', isConditional: isCallOf(node, 'map') };
    case 'ConditionalExpression': {
      const branches = [judge(node['consequent'] as Node), judge(node['alternate'] as Node)];
      return { kind: either(branches), isConditional: true };
    }
    case 'LogicalExpression': {
      const { kind } = judge(node['right'] as Node);
      return { kind, isConditional: true };
    }
    default:
      return always('unknown');
  }
}

const either = (branches: Judgment[]) =>
  branches.find(({ kind }) => kind === 'text')?.kind ?? branches[0]?.kind ?? 'unknown';

/** Functions that pages call for their elements. */
const MAKE_ELEMENTS = ['children', 'row'];

function isCallOf(node: Node, ...names: string[]): boolean {
  const callee = node['callee'] as Node;
  const { name } = (callee['property'] ?? callee) as { name?: string };
  return name !== undefined && names.includes(name);
}

/** Translators leave blanks alone. */
const isBlank = ({ type, value, expression }: Node): boolean =>
  ((type === 'JSXText' || type === 'Literal') && String(value).trim() === '') ||
  type === 'JSXEmptyExpression' ||
  (type === 'JSXExpressionContainer' && isBlank(expression as Node));

/** If `visit` returns false, what is within the node is skipped. */
function walk(node: Node, visit: (node: Node) => boolean) {
  if (!visit(node)) return;
  for (const field of Object.values(node)) {
    for (const value of Array.isArray(field) ? field : [field]) {
      if (typeof value === 'object' && value !== null && 'type' in value) walk(value, visit);
    }
  }
}
