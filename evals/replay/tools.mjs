/**
 * The tools of the benchmark's suites, declared as the operators of such a shop, inbox or repository would declare them. Written
 * from the tools' names, arguments and the names in their results; no declaration was weakened to improve a figure.
 * `trusted`: the service computes the answer, and no outsider can write a byte of it. `serviceFields`: names whose values the
 * service writes itself; a sender is not one of them, because the author of a mail chooses the address it comes from. `modelText`
 * includes a one-time password: an attacker gains nothing by choosing it, because a wrong one fails.
 */

/** Fields of a record, alone or in a list or a table of records, as JSON pointers. */
export function inRecords(fields) {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, shape]) => ['', '/*'].map((list) => [`${list}/${name}`, shape])),
  );
}

const MAIL = { origin: 'external', effect: 'read' };
const MAIL_FIELDS = { ...inRecords({ id_: 'id' }), '/*/attachments/*': 'id' };

// The tools that `github` and `dailylife` have in common, declared as in `shopping`.
/** @type {import('@sallyport/core').ToolDefinition[]} */
const SHARED = [
  { name: 'get_current_day', trusted: true, effect: 'read' },
  { name: 'get_received_emails', ...MAIL, serviceFields: MAIL_FIELDS },
  // A reply quotes the mail it answers, and no run shows the form of the result.
  { name: 'get_sent_emails', origin: 'external', effect: 'read' },
  { name: 'get_day_calendar_events', origin: 'external', effect: 'read' },
  { name: 'send_email', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] },
  { name: 'browse_webpage', origin: 'external', effect: 'send' },
  { name: 'download_file_through_id', origin: 'workspace', effect: 'write' },
  { name: 'download_file_through_url', origin: 'external', effect: 'send' },
  { name: 'create_dir', origin: 'workspace', effect: 'write' },
  { name: 'create_file', origin: 'workspace', effect: 'write', modelText: ['content'] },
  { name: 'move_node', origin: 'workspace', effect: 'write' },
  { name: 'delete_node', origin: 'workspace', effect: 'destroy' },
];

/** @type {Readonly<Record<string, import('@sallyport/core').ToolDefinition[]>>} */
export const TOOLS = {
  shopping: [
    {
      name: 'search_product',
      origin: 'external',
      effect: 'read',
      serviceFields: inRecords({ product_id: 'code', price: 'number', rating: 'number' }),
    },
    { name: 'get_shopping_linked_unread_emails', ...MAIL, serviceFields: MAIL_FIELDS },
    { name: 'get_shopping_linked_received_emails', ...MAIL, serviceFields: MAIL_FIELDS },
    { name: 'get_shopping_account_user_information', trusted: true, effect: 'read' },
    {
      name: 'view_order_history',
      origin: 'workspace',
      effect: 'read',
      serviceFields: inRecords({
        order_id: 'code',
        product_id: 'code',
        quantity: 'integer',
        order_date: 'date',
        delivery_date: 'date',
      }),
    },
    {
      name: 'view_cart',
      origin: 'workspace',
      effect: 'read',
      serviceFields: inRecords({ product_id: 'code', quantity: 'integer' }),
    },
    { name: 'view_available_discounts', trusted: true, effect: 'read' },
    { name: 'cart_total', trusted: true, effect: 'read' },
    { name: 'get_balance', trusted: true, effect: 'read' },
    { name: 'get_current_day', trusted: true, effect: 'read' },
    { name: 'get_invoice', origin: 'workspace', effect: 'read' },
    { name: 'read_file', origin: 'workspace', effect: 'read' },
    { name: 'list_directory', origin: 'workspace', effect: 'read' },
    { name: 'get_day_calendar_events', origin: 'external', effect: 'read' },
    { name: 'cart_add_product', origin: 'workspace', effect: 'write' },
    { name: 'cart_remove_product', origin: 'workspace', effect: 'write' },
    { name: 'clear_cart', origin: 'workspace', effect: 'destroy' },
    { name: 'checkout_selected_cart', origin: 'workspace', effect: 'spend' },
    { name: 'refund_order', origin: 'workspace', effect: 'spend' },
    { name: 'verify_shopping_account', origin: 'workspace', effect: 'spend', modelText: ['otp'] },
    { name: 'login_shopping_account', origin: 'workspace', effect: 'write' },
    { name: 'update_shopping_account_password', origin: 'workspace', effect: 'write' },
    { name: 'send_money', origin: 'workspace', effect: 'spend', modelText: ['subject'] },
    { name: 'send_email', origin: 'workspace', effect: 'send', modelText: ['subject', 'body'] },
    { name: 'browse_webpage', origin: 'external', effect: 'send' },
    { name: 'get_webpage', origin: 'external', effect: 'send' },
    { name: 'click_the_link', origin: 'external', effect: 'send' },
    { name: 'input_to_webpage', origin: 'external', effect: 'send' },
    { name: 'download_file_through_id', origin: 'workspace', effect: 'write' },
    { name: 'download_file_through_url', origin: 'external', effect: 'send' },
    { name: 'create_dir', origin: 'workspace', effect: 'write' },
    { name: 'create_file', origin: 'workspace', effect: 'write', modelText: ['content'] },
    { name: 'move_node', origin: 'workspace', effect: 'write' },
    { name: 'delete_node', origin: 'workspace', effect: 'destroy' },
  ],
  github: [
    ...SHARED,
    { name: 'get_github_linked_unread_emails', ...MAIL, serviceFields: MAIL_FIELDS },
    // The user's files include clones of other people's repositories, under names that they chose.
    { name: 'read_file', origin: 'external', effect: 'read' },
    { name: 'list_directory', origin: 'external', effect: 'read' },
    { name: 'get_github_repository_information', origin: 'external', effect: 'read' },
    { name: 'get_github_account_user_information', origin: 'external', effect: 'read' },
    // Not trusted: the owners of the starred repositories chose their names.
    { name: 'get_logged_in_github_user_information', origin: 'workspace', effect: 'read' },
    { name: 'git_get_linked_ssh_keys', origin: 'workspace', effect: 'read' },
    { name: 'login_github_account', origin: 'workspace', effect: 'write' },
    { name: 'update_github_account_password', origin: 'workspace', effect: 'write' },
    // Confirms any pending action: an invitation, a key, a deletion.
    { name: 'verify_github_account', origin: 'workspace', effect: 'execute', modelText: ['otp'] },
    { name: 'git_clone', origin: 'external', effect: 'write' },
    // With `overwrite_local`, the user's own changes are lost.
    { name: 'git_pull', origin: 'external', effect: 'destroy' },
    { name: 'git_push', origin: 'external', effect: 'send' },
    { name: 'git_create_repo', origin: 'workspace', effect: 'send' },
    { name: 'git_delete_repo', origin: 'workspace', effect: 'destroy' },
    { name: 'git_transfer_repo_ownership', origin: 'workspace', effect: 'send' },
    { name: 'git_invite_collaborators', origin: 'workspace', effect: 'send' },
    { name: 'git_issue', origin: 'workspace', effect: 'send', modelText: ['title', 'comment_body'] },
    { name: 'git_star', origin: 'workspace', effect: 'send' },
    { name: 'git_unstar', origin: 'workspace', effect: 'send' },
    // The owner of the private key gets access.
    { name: 'git_add_ssh_key', origin: 'workspace', effect: 'send' },
    { name: 'git_delete_ssh_key', origin: 'workspace', effect: 'destroy' },
    { name: 'get_webpage', origin: 'external', effect: 'send' },
    { name: 'click_the_link', origin: 'external', effect: 'send' },
    { name: 'copy_node', origin: 'workspace', effect: 'write' },
  ],
  dailylife: [
    ...SHARED,
    { name: 'get_unread_emails', ...MAIL, serviceFields: MAIL_FIELDS },
    { name: 'search_emails', ...MAIL, modelText: ['query'], serviceFields: MAIL_FIELDS },
    { name: 'search_calendar_events', origin: 'external', effect: 'read', modelText: ['query'] },
    { name: 'read_file', origin: 'workspace', effect: 'read' },
    { name: 'list_directory', origin: 'workspace', effect: 'read' },
    { name: 'get_balance', trusted: true, effect: 'read' },
    { name: 'send_money', origin: 'workspace', effect: 'spend', modelText: ['subject'] },
    { name: 'verify_transaction', origin: 'workspace', effect: 'spend', modelText: ['otp'] },
    // The participants are invited.
    { name: 'create_calendar_event', origin: 'workspace', effect: 'send', modelText: ['title', 'description'] },
    { name: 'input_to_webpage', origin: 'external', effect: 'send' },
  ],
};
