// The pages of the site and the documents that they are made from. A document that is not listed is not on the site: links to it
// lead to the repository.

/** Sections of the side bar: [title, path on the site, file in the repository]. */
export const contents = [
  {
    title: 'Start',
    pages: [
      ['Install and protect an agent', 'start', 'README.md'],
      ['Playground', 'playground', 'site/playground.md'],
    ],
  },
  {
    title: 'Concepts',
    pages: [
      ['Sources and labels', 'concepts/sources', 'docs/concepts/sources.md'],
      ['Conversations', 'concepts/conversation', 'docs/concepts/conversation.md'],
      ['Provenance', 'concepts/provenance', 'docs/concepts/provenance.md'],
      ['Policy', 'concepts/policy', 'docs/concepts/policy.md'],
      ['Approvals', 'concepts/approvals', 'docs/concepts/approvals.md'],
    ],
  },
  {
    title: 'Guides',
    pages: [
      ['An email agent', 'guides/email-agent', 'docs/guides/email-agent.md'],
      ['A Next.js chat with approvals', 'guides/nextjs-chat', 'docs/guides/nextjs-chat.md'],
      ['A coding agent', 'guides/coding-agent', 'docs/guides/coding-agent.md'],
      ['Retrieval (RAG)', 'guides/rag', 'docs/guides/rag.md'],
      ['MCP servers for a team', 'guides/mcp-team', 'docs/guides/mcp-team.md'],
      ['A rule of your own', 'guides/custom-rule', 'docs/guides/custom-rule.md'],
      ['Test your agent', 'guides/test-your-agent', 'docs/guides/test-your-agent.md'],
    ],
  },
  {
    title: 'Library',
    pages: [
      ['Your own loop', 'library', 'docs/library.md'],
      ['Tools', 'tools', 'docs/tools.md'],
      ['Prompt templates', 'templates', 'docs/templates.md'],
      ['Field tagging', 'fields', 'docs/fields.md'],
      ['Scripts and sub-models', 'sandbox', 'docs/sandbox.md'],
      ['React components', 'contrib/react', 'contrib/react/README.md'],
      ['Testing', 'packages/testing', 'packages/testing/README.md'],
      ['Events', 'events', 'docs/events.md'],
      ['Errors', 'errors', 'docs/errors.md'],
    ],
  },
  {
    title: 'Frameworks',
    pages: [
      ['All adapters', 'adapters/', 'docs/adapters.md'],
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
    title: 'MCP and coding agents',
    pages: [
      ['Wrap an MCP server', 'wrap', 'docs/wrap.md'],
      ['Hooks of coding agents', 'hooks', 'docs/hooks.md'],
      ['Replay your logs', 'replay', 'docs/replay.md'],
    ],
  },
  {
    title: 'Gateway',
    pages: [
      ['Run the gateway', 'gateway', 'docs/gateway.md'],
      ['Its policy', 'gateway-policy', 'docs/gateway-policy.md'],
      ['People and approvals', 'gateway-people', 'docs/gateway-people.md'],
      ['Console', 'console', 'docs/console.md'],
      ['Operations', 'operations', 'docs/operations.md'],
      ['Scale and cost', 'scale', 'docs/scale.md'],
    ],
  },
  {
    title: 'Security',
    pages: [
      ['Guarantees', 'security', 'SECURITY.md'],
      ['Threat model', 'threat-model', 'docs/threat-model.md'],
      ['How a call is checked', 'gate', 'docs/gate.md'],
      ['Adaptive attacks', 'adaptive', 'docs/adaptive.md'],
      ['The classifier', 'classifier', 'docs/classifier.md'],
    ],
  },
  {
    title: 'Numbers',
    pages: [
      ['All numbers', 'numbers', 'docs/numbers.md'],
      ['Live models', 'live', 'docs/live.md'],
      ['Other libraries', 'peers', 'docs/peers.md'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['Upgrading', 'upgrading', 'docs/upgrading.md'],
      ['Changelog', 'changelog', 'CHANGELOG.md'],
    ],
  },
];

/** Packages whose exports are described from their sources, under /api/. */
export const described = [
  'packages/sallyport',
  'packages/core',
  'packages/fields',
  'packages/classifier',
  'contrib/classifier-onnx',
  'contrib/sandbox',
  'contrib/react',
  'packages/testing',
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
