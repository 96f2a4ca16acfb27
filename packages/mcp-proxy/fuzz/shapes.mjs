// Valid results, notifications and requests of a server, in both eras of the protocol.
import { Pieces } from './pieces.mjs';
import { Raw } from './write.mjs';

const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
export const MODERN = VERSIONS.at(-1);

export const METHODS = [
  'initialize',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'ping',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'x/unknown',
];

export class Shapes extends Pieces {
  constructor(random, texts) {
    super(random, texts);
    const names = ['read_file', 'search', 'send_mail', 'delete_all', 'pay_bill'];
    /** What this server's tools are the first time, so that listings can repeat, change and imitate them. */
    this.tools = names.map((name) => this.tool(name));
  }

  /** The tools as they were, and now and then one that is changed, added, doubled or named like another. */
  listing() {
    const random = this.random;
    const others = [
      () => ({ ...random.pick(this.tools), description: this.texts.prose() }),
      () => random.pick(this.tools),
      () => this.tool(random.pick(['read_fi1e', 'Read-File', 's\u0435arch', 'search2', 'other_server_tool'])),
      () => this.tool(this.texts.prose()),
      () => ({ ...this.tool('keys'), inputSchema: { properties: { [this.texts.prose()]: {} } } }),
      () => ({ ...this.tool(`more_${random.from(1, 9)}`), [this.texts.prose()]: 1 }),
      () => this.json(),
    ];
    const odd = random.chance(0.3) ? this.list(() => random.pick(others)(), 2) : [];
    const tools = random.chance(0.7) ? this.tools : random.shuffled(this.tools).slice(0, random.from(0, 4));
    return {
      tools: random.shuffled([...tools, ...odd]),
      nextCursor: this.some(() => this.texts.name()),
      _meta: this.meta(),
    };
  }

  greeting() {
    return {
      capabilities: { tools: {}, logging: {}, experimental: this.some(() => this.json()) },
      serverInfo: {
        ...this.named(),
        version: this.texts.name(),
        websiteUrl: 'https://x.example',
        icons: this.icons(),
      },
      instructions: this.random.chance(0.7) ? this.texts.any() : undefined,
      _meta: this.meta(),
    };
  }

  /** The result of a call: content, a server's question, or a task. */
  called() {
    const random = this.random;
    const structured = () =>
      random.weighted([
        [3, () => ({ note: this.texts.any(), day: '2026-01-01', n: new Raw('12345678901234567890'), kind: 'one' })],
        [2, () => this.json()],
      ]);
    const content = random.chance(0.95) ? this.list(() => this.block(), 4) : this.json();
    return random.weighted([
      [
        12,
        () => ({
          content,
          structuredContent: this.some(structured),
          isError: this.some(() => true),
          _meta: this.meta(),
        }),
      ],
      [1, () => ({ structuredContent: structured(), resultType: 'complete' })],
      [
        2,
        () => ({
          resultType: 'input_required',
          inputRequests: { ask: this.request(), 'sallyport-approval': this.request() },
          requestState: this.texts.name(),
        }),
      ],
      [1, () => ({ task: this.task(), _meta: this.meta() })],
    ]);
  }

  result(method) {
    const texts = this.texts;
    switch (method) {
      case 'initialize':
        return { protocolVersion: this.random.pick(VERSIONS), ...this.greeting() };
      case 'server/discover':
        return { resultType: 'complete', supportedVersions: VERSIONS, ...this.greeting() };
      case 'tools/list':
        return this.listing();
      case 'tools/call':
      case 'tasks/result':
        return this.called();
      case 'resources/list':
        return { resources: this.list(() => this.link()), nextCursor: texts.name() };
      case 'resources/templates/list':
        return { resourceTemplates: this.list(() => ({ ...this.link(), uriTemplate: 'file:///{a}' })) };
      case 'resources/read':
        return { contents: this.list(() => this.resource()) };
      case 'prompts/list':
        return { prompts: this.list(() => ({ ...this.named(), arguments: this.list(() => this.named()) })) };
      case 'prompts/get':
        return { description: texts.any(), messages: this.list(() => ({ role: 'user', content: this.block() })) };
      case 'completion/complete':
        return { completion: { values: this.list(() => texts.any(), 8), total: 7, hasMore: false } };
      case 'tasks/list':
        return { tasks: this.list(() => this.task()) };
      case 'tasks/get':
      case 'tasks/cancel':
        return this.task();
      case 'x/unknown':
        return this.json(4);
      default:
        return { _meta: this.meta() };
    }
  }

  error() {
    return { code: -32000, message: this.texts.any(), data: this.some(() => this.json()) };
  }

  notification() {
    const texts = this.texts;
    return this.random.weighted([
      [
        4,
        () => ({
          method: 'notifications/message',
          params: { level: 'info', logger: texts.any(), data: this.json(), _meta: this.meta() },
        }),
      ],
      [
        3,
        () => ({
          method: 'notifications/progress',
          params: { progressToken: texts.name(), progress: 0.5, message: texts.any() },
        }),
      ],
      [1, () => ({ method: `notifications/${this.random.pick(['tools', 'resources', 'prompts'])}/list_changed` })],
      [1, () => ({ method: 'notifications/resources/updated', params: { uri: texts.any(), title: texts.any() } })],
      [
        1,
        () => ({
          method: 'notifications/cancelled',
          params: { requestId: this.random.from(1, 9), reason: texts.any() },
        }),
      ],
      [1, () => ({ method: 'notifications/tasks/status', params: this.task() })],
      [1, () => ({ method: texts.prose(), params: this.json() })],
    ]);
  }

  request() {
    const texts = this.texts;
    const message = () => ({
      role: 'user',
      content: this.random.chance(0.7) ? this.block() : this.list(() => this.block()),
    });
    return this.random.weighted([
      [
        3,
        () => ({
          method: 'sampling/createMessage',
          params: {
            messages: this.list(message),
            systemPrompt: texts.any(),
            maxTokens: 7,
            stopSequences: [texts.any()],
            tools: this.some(() => [this.tool('t')]),
          },
        }),
      ],
      [
        3,
        () => ({
          method: 'elicitation/create',
          params: { mode: 'form', message: texts.any(), requestedSchema: this.schema() },
        }),
      ],
      [
        1,
        () => ({
          method: 'elicitation/create',
          params: { mode: 'url', message: texts.any(), url: 'https://x.example/a', elicitationId: texts.name() },
        }),
      ],
      [1, () => ({ method: 'roots/list', params: { _meta: this.meta() } })],
      [1, { method: 'ping' }],
      [1, () => ({ method: texts.prose(), params: this.json() })],
    ]);
  }
}
