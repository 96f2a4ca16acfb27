// What an operator declares about the tools of the suites in addition: the effects `fetch` and `configure`, and roles.

/** @type {Readonly<Record<string, Partial<import('@sallyport/core').ToolDefinition>>>} */
const DECLARED = {
  browse_webpage: { effect: 'fetch' },
  get_webpage: { effect: 'fetch' },
  click_the_link: { effect: 'fetch' },
  download_file_through_url: { effect: 'fetch' },
  input_to_webpage: { roles: { input_ids: 'choice' } },
  // They confirm a pending action, which was checked itself.
  verify_github_account: { effect: 'write' },
  verify_shopping_account: { effect: 'write' },
  verify_transaction: { effect: 'write' },
  update_shopping_account_password: { effect: 'configure' },
  update_github_account_password: { effect: 'configure' },
  git_transfer_repo_ownership: { effect: 'configure' },
  git_invite_collaborators: { effect: 'configure' },
  git_add_ssh_key: { effect: 'configure' },
  git_star: { effect: 'write' },
  git_unstar: { effect: 'write' },
  git_create_repo: { effect: 'write' },
};

/** @param {readonly import('@sallyport/core').ToolDefinition[]} tools */
export function declaredFor(tools) {
  return tools.map((tool) => ({ ...tool, ...DECLARED[tool.name] }));
}
