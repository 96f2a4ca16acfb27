import { describe, expect, it } from 'vitest';
import { effectOfName } from '../../src/call/verbs.ts';

describe('effectOfName', () => {
  it.each([
    ['list_events', 'read'],
    ['getUser', 'read'],
    ['fetch_page', 'fetch'],
    ['browse-web', 'fetch'],
    ['write_file', 'write'],
    ['createIssue', 'send'],
    ['create_gist', 'send'],
    ['add_issue_comment', 'send'],
    ['create_refund', 'spend'],
    ['create_order', 'spend'],
    ['transfer', 'spend'],
    ['update_dns_record', 'configure'],
    ['create_shared_link', 'configure'],
    ['merge_pull_request', 'configure'],
    ['apply_migration', 'execute'],
    ['send_email', 'send'],
    ['send_money', 'spend'],
    ['make_payment', 'spend'],
    ['book_flight', 'spend'],
    ['create_mail_rule', 'configure'],
    ['add_collaborator', 'configure'],
    ['update_password', 'configure'],
    ['delete_repo', 'destroy'],
    ['read_and_delete_mail', 'destroy'],
    ['list_orders', 'read'],
    ['run_shell', 'execute'],
    ['frobnicate', 'execute'],
    ['', 'execute'],
  ])('of %s is %s', (name, expected) => {
    expect(effectOfName(name)).toBe(expected);
  });
});
