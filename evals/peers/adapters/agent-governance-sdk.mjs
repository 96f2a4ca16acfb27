import { ContextPoisoningDetector, McpSecurityScanner } from '@microsoft/agent-governance-sdk';

const detector = new ContextPoisoningDetector();
const scanner = new McpSecurityScanner();

const entry = (content) => ({
  entryId: 'entry',
  agentId: 'agent',
  sessionId: 'session',
  role: 'tool',
  content,
  timestamp: '2026-01-01T00:00:00Z',
});

export const adapter = {
  name: 'agent-governance-sdk',
  package: '@microsoft/agent-governance-sdk',
  configurations: [
    { name: 'ContextPoisoningDetector', detect: (text) => detector.scanEntry(entry(text)).length > 0 },
    {
      name: 'McpSecurityScanner',
      note: 'made for tool descriptions; the text is given as one',
      detect: (text) => !scanner.scan({ name: 'fetch_document', description: text }).safe,
    },
  ],
};
