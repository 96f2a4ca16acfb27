// Published MCP servers whose listings are measured. Tokens are placeholders: these servers list their tools without a valid one.

export interface ListedServer {
  readonly package: string;
  readonly version: string;
  /** `.` is replaced with a folder. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const PLACEHOLDER = 'placeholder';

export const LISTED_SERVERS: readonly ListedServer[] = [
  { package: '@modelcontextprotocol/server-filesystem', version: '2026.8.31', args: ['.'] },
  { package: '@modelcontextprotocol/server-everything', version: '2026.8.31' },
  { package: '@modelcontextprotocol/server-memory', version: '2026.8.31' },
  { package: '@modelcontextprotocol/server-sequential-thinking', version: '2026.8.31' },
  { package: '@modelcontextprotocol/server-puppeteer', version: '2025.5.12' },
  {
    package: '@modelcontextprotocol/server-github',
    version: '2025.4.8',
    environment: { GITHUB_PERSONAL_ACCESS_TOKEN: PLACEHOLDER },
  },
  {
    package: '@modelcontextprotocol/server-slack',
    version: '2025.4.25',
    environment: { SLACK_BOT_TOKEN: PLACEHOLDER, SLACK_TEAM_ID: PLACEHOLDER },
  },
  { package: '@playwright/mcp', version: '0.0.83', args: ['--headless'] },
  { package: '@upstash/context7-mcp', version: '4.1.1' },
  { package: '@notionhq/notion-mcp-server', version: '2.5.2', environment: { NOTION_TOKEN: PLACEHOLDER } },
  { package: '@cyanheads/git-mcp-server', version: '2.15.3', environment: { MCP_LOG_LEVEL: 'error' } },
  { package: '@sentry/mcp-server', version: '0.39.0', args: [`--access-token=${PLACEHOLDER}`] },
  { package: 'mcp-server-commands', version: '0.5.0' },
  { package: 'chrome-devtools-mcp', version: '1.11.0' },
  { package: 'tavily-mcp', version: '0.2.22', environment: { TAVILY_API_KEY: PLACEHOLDER } },
  { package: 'firecrawl-mcp', version: '3.26.0', environment: { FIRECRAWL_API_KEY: PLACEHOLDER } },
];
