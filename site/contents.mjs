// The pages of the site and the documents that they are made from. A document that is not listed is not on the site.

/** Sections of the side bar: [title, path on the site, file in the repository]. */
export const contents = [
  {
    title: 'Begin',
    pages: [
      ['Start', 'start', 'README.md'],
      ['Concepts', 'concepts', 'docs/concepts.md'],
      ['See before you switch on', 'replay', 'docs/replay.md'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['A loop of your own', 'library', 'docs/library.md'],
      ['Frameworks', 'adapters/', 'docs/adapters.md'],
      ['MCP servers on your machine', 'wrap', 'docs/wrap.md'],
      ['Hooks of coding agents', 'hooks', 'docs/hooks.md'],
      ['For authors of tools', 'tools', 'docs/tools.md'],
      ['For authors of templates', 'templates', 'docs/templates.md'],
      ['For servers that many write to', 'fields', 'docs/fields.md'],
      ['For authors of scripts', 'sandbox', 'docs/sandbox.md'],
    ],
  },
  {
    title: 'Frameworks',
    pages: [
      ['Vercel AI SDK', 'adapters/ai-sdk', 'adapters/ai-sdk/README.md'],
      ['OpenAI', 'adapters/openai', 'adapters/openai/README.md'],
      ['Anthropic', 'adapters/anthropic', 'adapters/anthropic/README.md'],
      ['OpenAI Agents', 'adapters/openai-agents', 'adapters/openai-agents/README.md'],
      ['LangChain and LangGraph', 'adapters/langchain', 'adapters/langchain/README.md'],
      ['Mastra', 'adapters/mastra', 'adapters/mastra/README.md'],
      ['Google Gen AI', 'adapters/google-genai', 'adapters/google-genai/README.md'],
      ['MCP hosts and clients', 'adapters/mcp', 'adapters/mcp/README.md'],
    ],
  },
  {
    title: 'For operators',
    pages: [
      ['The gateway', 'gateway', 'docs/gateway.md'],
      ['Running it', 'operations', 'docs/operations.md'],
      ['What a call costs', 'scale', 'docs/scale.md'],
      ['Upgrading', 'upgrading', 'docs/upgrading.md'],
    ],
  },
  {
    title: 'Security',
    pages: [
      ['Threat model', 'threat-model', 'docs/threat-model.md'],
      ['Guarantees', 'security', 'SECURITY.md'],
      ['How a call is judged', 'gate', 'docs/gate.md'],
      ['Hijacks, drawn', 'hijacks', 'docs/hijacks.md'],
      ['The classifier', 'classifier', 'docs/classifier.md'],
      ['How it compares', 'peers', 'docs/peers.md'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['Errors', 'errors', 'docs/errors.md'],
      ['Events', 'events', 'docs/events.md'],
      ['Numbers, and how they are made', 'numbers', 'docs/numbers.md'],
      ['Dependencies', 'dependencies', 'docs/dependencies.md'],
      ['Architecture', 'architecture', 'ARCHITECTURE.md'],
      ['Contributing', 'contributing', 'CONTRIBUTING.md'],
      ['Releasing', 'releasing', 'docs/releasing.md'],
    ],
  },
  {
    title: 'How things were measured',
    pages: [
      ['Recorded conversations', 'evals/replay', 'evals/replay/README.md'],
      ['Span classifier', 'evals/spans', 'evals/spans/README.md'],
      ['The corpus', 'evals/corpus', 'training/corpus/DATASHEET.md'],
    ],
  },
  {
    title: 'Packages',
    pages: [
      ['sallyport', 'packages/sallyport', 'packages/sallyport/README.md'],
      ['core', 'packages/core', 'packages/core/README.md'],
      ['classifier', 'packages/classifier', 'packages/classifier/README.md'],
      ['classifier-onnx', 'packages/classifier-onnx', 'packages/classifier-onnx/README.md'],
      ['sandbox', 'packages/sandbox', 'packages/sandbox/README.md'],
      ['react', 'packages/react', 'packages/react/README.md'],
      ['testing', 'packages/testing', 'packages/testing/README.md'],
      ['http', 'packages/http', 'packages/http/README.md'],
      ['mcp-proxy', 'packages/mcp-proxy', 'packages/mcp-proxy/README.md'],
      ['gateway', 'packages/gateway', 'packages/gateway/README.md'],
      ['cli', 'packages/cli', 'packages/cli/README.md'],
    ],
  },
];

/** Packages whose exports are described from their sources, under /api/. */
export const described = [
  'packages/sallyport',
  'packages/core',
  'packages/classifier',
  'packages/classifier-onnx',
  'packages/sandbox',
  'packages/react',
  'packages/testing',
  'packages/http',
  'packages/mcp-proxy',
  'adapters/ai-sdk',
  'adapters/openai',
  'adapters/anthropic',
  'adapters/openai-agents',
  'adapters/langchain',
  'adapters/mastra',
  'adapters/google-genai',
  'adapters/mcp',
];
