// What messages of a server are made of: blocks, resources, schemas, tools, and any JSON, with prose in every place.
import { Members, Raw } from './write.mjs';

export class Pieces {
  constructor(random, texts) {
    this.random = random;
    this.texts = texts;
  }

  some(value) {
    return this.random.chance(0.4) ? value() : undefined;
  }

  list(make, most = 3) {
    return Array.from({ length: this.random.from(0, most) }, make);
  }

  /** Any JSON: names may be sentences, numbers too long for a double. */
  json(depth = 3) {
    const random = this.random;
    const texts = this.texts;
    if (depth === 0 || random.chance(0.5))
      return random.weighted([
        [5, () => texts.prose()],
        [3, () => texts.name()],
        [1, () => new Raw(random.pick(['12345678901234567890', '1e400', '-0', '0.10', '7.0', '1E+2', 'null', 'true']))],
      ]);
    if (random.chance(0.4)) return this.list(() => this.json(depth - 1), 4);
    const name = () =>
      random.weighted([
        [8, () => texts.name()],
        [1, () => texts.prose()],
        [1, '__proto__'],
        [1, 'constructor'],
      ]);
    return new Members(this.list(() => [name(), this.json(depth - 1)], 4));
  }

  meta() {
    const random = this.random;
    return this.some(() =>
      random.weighted([
        [6, () => ({ 'x/note': this.texts.prose(), progressToken: this.texts.name() })],
        [2, () => ({ 'sallyport/source': { server: this.texts.prose() }, 'sallyport/decision': this.texts.prose() })],
        [1, () => [this.texts.prose()]],
        [1, () => this.texts.prose()],
      ]),
    );
  }

  annotations() {
    return this.some(() => ({
      audience: ['user', this.texts.any()],
      priority: 0.5,
      lastModified: this.texts.name(),
    }));
  }

  icons() {
    return this.some(() => [
      { src: `data:image/png;base64,${this.random.letters(40)}`, mimeType: 'image/png', sizes: [this.texts.any()] },
    ]);
  }

  resource() {
    const uri = this.random.chance(0.8) ? `file:///${this.random.letters(5)}` : this.texts.prose();
    const body = this.random.chance(0.7) ? { text: this.texts.any() } : { blob: this.random.letters(64) };
    return {
      uri,
      mimeType: this.random.chance(0.8) ? 'text/plain' : this.texts.prose(),
      ...body,
      _meta: this.meta(),
    };
  }

  link() {
    const { name, title, description } = this.named();
    return {
      uri: `file:///${this.random.letters(5)}`,
      name,
      title,
      description,
      mimeType: 'text/plain',
      size: 7,
      icons: this.icons(),
    };
  }

  named() {
    return { name: this.texts.name(), title: this.texts.any(), description: this.texts.any() };
  }

  block() {
    const annotations = this.annotations();
    return this.random.weighted([
      [8, () => ({ type: 'text', text: this.texts.any(), annotations, _meta: this.meta() })],
      [1, () => ({ type: 'image', data: this.random.letters(80), mimeType: 'image/png', annotations })],
      [1, () => ({ type: 'audio', data: this.texts.prose(), mimeType: this.texts.prose() })],
      [2, () => ({ type: 'resource_link', ...this.link(), annotations })],
      [2, () => ({ type: 'resource', resource: this.resource(), annotations })],
      [1, () => ({ type: this.texts.prose(), unknown: this.json() })],
    ]);
  }

  schema(texts = this.texts) {
    return {
      type: 'object',
      title: texts.prose(),
      properties: {
        to: { type: 'string', description: texts.prose(), pattern: this.random.pick(['^[a-z ]+$', 'a b c d']) },
        kind: { enum: ['one', this.random.chance(0.2) ? texts.prose() : 'two'], default: texts.prose() },
        count: { type: 'integer', examples: [texts.prose()] },
      },
      required: ['to'],
      $comment: texts.prose(),
    };
  }

  tool(name) {
    const hint = () => this.some(() => this.random.chance(0.5));
    return {
      name,
      title: this.texts.prose(),
      description: this.texts.prose(),
      inputSchema: this.schema(),
      outputSchema: this.some(() => ({
        type: 'object',
        properties: {
          note: { type: 'string' },
          day: { type: 'string', format: 'date' },
          n: { type: 'number' },
          kind: { enum: ['one', 'two'] },
        },
        ...(this.random.chance(0.3) ? { description: this.texts.prose() } : {}),
      })),
      annotations: { title: this.texts.prose(), readOnlyHint: hint(), destructiveHint: hint(), openWorldHint: hint() },
      icons: this.icons(),
      execution: this.some(() => ({ taskSupport: 'optional', note: this.texts.prose() })),
      _meta: this.meta(),
    };
  }

  task() {
    const taskId = this.random.pick(['task-1', 'task-2', `task-${this.random.letters(8)}`]);
    return {
      taskId,
      status: this.random.pick(['working', 'completed']),
      statusMessage: this.texts.any(),
      createdAt: '2026-01-01T00:00:00Z',
      ttl: 60,
    };
  }
}
