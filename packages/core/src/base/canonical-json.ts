import { SallyportError } from './errors.ts';

/** A value still to be written, text between values, or the end of an object or array. */
type Task = { readonly value: unknown } | { readonly text: string } | { readonly leave: object };

function plain(value: unknown, key: string): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? plainScalar(toJSON.call(value, key)) : value;
}

// Calls toJSON once per value, as JSON.stringify does: an object whose toJSON returns itself must not cause an endless loop.
function plainScalar(value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function isSkipped(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function expandObject(value: object, tasks: Task[]): void {
  const children: Task[] = [{ text: '{' }];
  for (const key of Object.keys(value).sort()) {
    const child = plain((value as Record<string, unknown>)[key], key);
    if (isSkipped(child)) continue;
    children.push({ text: `${children.length > 1 ? ',' : ''}${JSON.stringify(key)}:` }, { value: child });
  }
  children.push({ text: '}' }, { leave: value });
  for (let index = children.length - 1; index >= 0; index--) tasks.push(children[index] as Task);
}

function expandArray(value: readonly unknown[], tasks: Task[]): void {
  tasks.push({ leave: value }, { text: ']' });
  for (let index = value.length - 1; index >= 0; index--) {
    const child = plain(value[index], String(index));
    tasks.push({ value: isSkipped(child) ? null : child }, { text: index > 0 ? ',' : '' });
  }
  tasks.push({ text: '[' });
}

function enter(value: object, ancestors: Set<object>, tasks: Task[]): void {
  if (ancestors.has(value))
    throw new SallyportError(
      'ERR_CYCLE',
      'A value that contains itself cannot be written as JSON. Pass a value without cycles.',
    );
  ancestors.add(value);
  if (Array.isArray(value)) expandArray(value, tasks);
  else expandObject(value, tasks);
}

/**
 * Writes a value as JSON text with sorted keys: RFC 8785, except that lone surrogates are written as \u escapes instead of
 * refused. The bytes of a record must not depend on key order, which PostgreSQL's jsonb and the OpenAI Agents RunState
 * both change. Any depth works: JSON.parse accepts values that are too deep for JSON.stringify.
 *
 * @example
 * ```ts
 * canonicalJson({ b: 1, a: [true, null] }); // '{"a":[true,null],"b":1}'
 * ```
 */
export function canonicalJson(root: unknown): string {
  const pieces: string[] = [];
  const ancestors = new Set<object>();
  const first = plain(root, '');
  const tasks: Task[] = [{ value: isSkipped(first) ? null : first }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('text' in task) pieces.push(task.text);
    else if ('leave' in task) ancestors.delete(task.leave);
    else if (typeof task.value === 'object' && task.value !== null) enter(task.value, ancestors, tasks);
    else pieces.push(JSON.stringify(task.value));
  }
  return pieces.join('');
}
