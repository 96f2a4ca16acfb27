import type { Effect } from '../../src/call/effect.ts';

/** A tool that nobody has declared, and the effect that a careful person would declare. */
export interface Row {
  readonly title: string;
  /** The section of a red team's report and its script, the section of a field report, or the server. */
  readonly origin: string;
  readonly payload: { readonly name: string; readonly inputSchema?: { readonly properties: object } };
  readonly expected: Effect;
}

/** Rows of one origin: `pay(to, amount)` has two arguments, `pay` is a name alone. */
function rows(origin: string, tools: Readonly<Record<string, Effect>>): readonly Row[] {
  return Object.entries(tools).map(([title, expected]) => {
    const [, name = '', names] = /^([^(]+)(?:\((.*)\))?$/.exec(title) ?? [];
    const properties = Object.fromEntries((names?.match(/\w+/g) ?? []).map((each) => [each, { type: 'string' }]));
    const schema = names === undefined ? {} : { inputSchema: { type: 'object', properties } };
    return { title, origin, payload: { name, ...schema }, expected };
  });
}

/** What a red team reached, since the effect was guessed too weak. */
export const RED: readonly Row[] = [
  ...rows('1, wrap-effects-by-name', {
    'add_issue_comment(owner, repo, issue_number, body)': 'send',
    'create_issue(owner, repo, title, body)': 'send',
    'create_gist(description, content, public)': 'send',
    'create_message(channel, text)': 'send',
    'merge_pull_request(owner, repo, pullNumber)': 'configure',
    'apply_migration(name, query)': 'execute',
    'write_query(query)': 'execute',
    'create_refund(payment_intent, amount)': 'spend',
    'create_order(symbol, side, amount)': 'spend',
    'create_payout(amount, destination)': 'spend',
    'update_dns_record(record_id, content)': 'configure',
    'kubectl_apply(manifest)': 'execute',
    'create_shared_link(path, access)': 'configure',
    'set_visibility(id, visibility)': 'configure',
    'update_bank_account(employee_id, iban)': 'configure',
  }),
  ...rows('1, hook-mcp-effects', {
    'add_issue_comment(owner, repo, issue_number, body)': 'send',
    'create_gist(description, content, public)': 'send',
    'merge_pull_request(owner, repo, pullNumber)': 'configure',
    'apply_migration(name, query)': 'execute',
    'create_refund(payment_intent, amount)': 'spend',
    'update_dns_record(record_id, content)': 'configure',
  }),
  ...rows('1, by name alone', {
    create_comment: 'send',
    create_post: 'send',
    create_sms: 'send',
    conversations_add_message: 'send',
    create_api_token: 'configure',
    update_branch_protection: 'configure',
    set_recovery_email: 'configure',
    edit_crontab: 'configure',
    create_workflow: 'configure',
    transfer: 'spend',
    send_eth: 'spend',
    query_database: 'execute',
  }),
];

/** What was guessed wrong in recorded work, too strong or too weak. */
export const FIELD: readonly Row[] = rows('0.5', {
  'email.search_emails(query, date_min, date_max)': 'read',
  'CurrentWeather(location)': 'read',
  'get_webpage(url)': 'fetch',
});

/** Tools of published servers of which the guess is right. */
export const SERVERS: readonly Row[] = [
  ...rows('@modelcontextprotocol/server-everything 2026.8.31', {
    'get-env()': 'read',
    'get-annotated-message(messageType, includeImage)': 'read',
    'get-resource-links(count)': 'read',
    'get-resource-reference(resourceType, resourceId)': 'read',
    'get-sum(a, b)': 'read',
    'get-tiny-image()': 'read',
  }),
  ...rows('@modelcontextprotocol/server-filesystem 2026.8.31', {
    'read_text_file(path, tail, head)': 'read',
    'read_media_file(path)': 'read',
    'read_multiple_files(paths)': 'read',
    'write_file(path, content)': 'write',
    'edit_file(path, edits, dryRun)': 'write',
    'create_directory(path)': 'write',
    'list_directory_with_sizes(path, sortBy)': 'read',
    'directory_tree(path, excludePatterns)': 'read',
    'move_file(source, destination)': 'write',
    'search_files(path, pattern, excludePatterns)': 'read',
    'get_file_info(path)': 'read',
  }),
  ...rows('@modelcontextprotocol/server-memory 2026.8.31', {
    'create_entities(entities)': 'write',
    'add_observations(observations)': 'write',
    'delete_relations(relations)': 'destroy',
    'read_graph()': 'read',
    'search_nodes(query)': 'read',
  }),
  ...rows('@modelcontextprotocol/server-github 2025.4.8', {
    'create_or_update_file(owner, repo, path, content, message, branch, sha)': 'write',
    'create_pull_request(owner, repo, title, body, head, base)': 'send',
    'create_pull_request_review(owner, repo, pull_number, body, event)': 'send',
    'get_pull_request_comments(owner, repo, pull_number)': 'read',
    'list_issues(owner, repo, labels, sort, state)': 'read',
    'push_files(owner, repo, branch, files, message)': 'send',
    'search_repositories(query, page)': 'read',
    'update_issue(owner, repo, issue_number, title, body, state)': 'send',
  }),
  ...rows('@modelcontextprotocol/server-slack 2025.4.25', {
    'slack_get_channel_history(channel_id, limit)': 'read',
    'slack_list_channels(limit, cursor)': 'read',
    'slack_post_message(channel_id, text)': 'send',
    'slack_reply_to_thread(channel_id, thread_ts, text)': 'send',
  }),
  ...rows('@modelcontextprotocol/server-puppeteer 2025.5.12', {
    'puppeteer_click(selector)': 'send',
    'puppeteer_evaluate(script)': 'execute',
    'puppeteer_fill(selector, value)': 'write',
    'puppeteer_navigate(url)': 'fetch',
  }),
  ...rows('tavily-mcp, firecrawl-mcp, mcp-server-commands', {
    'tavily_extract(urls, extract_depth)': 'fetch',
    'firecrawl_scrape(url, formats)': 'fetch',
    'run_command(command, workdir, stdin)': 'execute',
  }),
  // What is done to one thing, and its name in other words.
  ...rows('words', {
    'close_account(id)': 'destroy',
    'createSMSMessage(number, text)': 'send',
    'db_query(query)': 'execute',
    'find_and_replace(pattern, text)': 'write',
    'http_get(url)': 'fetch',
    'http_post(url, body)': 'send',
    'invite_user(name)': 'configure',
    'put_event(title, guests)': 'send',
    'refunds.create(order, amount)': 'spend',
    'search_replace(pattern, text)': 'write',
    'create_release(tag)': 'send',
    'set_member(name, role)': 'configure',
    'updateDNSRecord(id)': 'configure',
  }),
];

/** Tools of published servers that cost needless questions: the guess is stronger than what a careful person would declare. */
export const TOO_STRONG: readonly Row[] = [
  ...rows('@modelcontextprotocol/server-everything 2026.8.31', {
    'echo(message)': 'read',
    'gzip-file-as-resource(name, data, outputType)': 'fetch',
    'toggle-simulated-logging()': 'write',
    'trigger-long-running-operation(duration, steps)': 'read',
  }),
  ...rows('@modelcontextprotocol/server-memory 2026.8.31', { 'open_nodes(names)': 'read' }),
  ...rows('@modelcontextprotocol/server-puppeteer 2025.5.12', {
    'puppeteer_hover(selector)': 'read',
    'puppeteer_screenshot(name, selector)': 'read',
    'puppeteer_select(selector, value)': 'write',
  }),
];

/** A tool of a published server, and one of recorded work, that pass too easily. */
export const TOO_WEAK: readonly Row[] = [
  ...rows('@modelcontextprotocol/server-slack 2025.4.25', {
    'slack_add_reaction(channel_id, timestamp, reaction)': 'send',
  }),
  ...rows('recorded work', { 'suppliers.update(supplier_id, changes, reason)': 'configure' }),
];
