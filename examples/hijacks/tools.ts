import type { ToolDefinition } from 'sallyport';

// The tools of the scenarios, each declared once: the origin of its results and the effect of a call.

export const readMail: ToolDefinition = {
  name: 'read_mail',
  origin: 'external',
  effect: 'read',
  serviceFields: { '/*/id': 'id', '/*/date': 'date' },
  sender: '/*/from',
};
export const readFile: ToolDefinition = { name: 'read_file', origin: 'workspace', effect: 'read' };
export const readReviews: ToolDefinition = {
  name: 'read_reviews',
  origin: 'external',
  confidentiality: 'public',
  effect: 'read',
  serviceFields: { '/*/product_id': 'code', '/*/stars': 'integer' },
};
export const searchShop: ToolDefinition = {
  name: 'search_shop',
  origin: 'external',
  confidentiality: 'public',
  effect: 'read',
  modelText: ['query'],
  serviceFields: { '/*/product_id': 'code', '/*/price': 'number' },
};
export const readCalendar: ToolDefinition = {
  name: 'read_calendar',
  origin: 'external',
  effect: 'read',
  serviceFields: { '/*/event_id': 'id', '/*/day': 'date' },
};
export const readVault: ToolDefinition = {
  name: 'read_vault',
  origin: 'workspace',
  confidentiality: 'secret',
  effect: 'read',
};
export const readIssue: ToolDefinition = {
  name: 'read_issue',
  origin: 'external',
  effect: 'read',
  serviceFields: { '/number': 'integer' },
};

/** Reads the copy of a public page that a search engine has; the host of the page learns nothing. */
export const openPage: ToolDefinition = {
  name: 'open_page',
  origin: 'external',
  confidentiality: 'public',
  effect: 'read',
};
/** Opens a page in the user's own browser, with their cookies, so the host of the page learns something. */
export const visitLink: ToolDefinition = { name: 'visit_link', origin: 'external', effect: 'fetch' };
export const submitForm: ToolDefinition = { name: 'submit_form', origin: 'external', effect: 'send' };
export const sendMail: ToolDefinition = {
  name: 'send_mail',
  origin: 'workspace',
  effect: 'send',
  modelText: ['subject', 'body'],
};

export const placeOrder: ToolDefinition = { name: 'place_order', origin: 'workspace', effect: 'spend' };
export const transfer: ToolDefinition = {
  name: 'transfer',
  origin: 'workspace',
  effect: 'spend',
  modelText: ['reference'],
};
export const changeSetting: ToolDefinition = { name: 'change_setting', origin: 'workspace', effect: 'configure' };
export const addMeeting: ToolDefinition = {
  name: 'add_meeting',
  origin: 'workspace',
  effect: 'write',
  modelText: ['title'],
};
export const grantAccess: ToolDefinition = { name: 'grant_access', origin: 'workspace', effect: 'configure' };
export const deleteRepository: ToolDefinition = {
  name: 'delete_repository',
  origin: 'workspace',
  effect: 'destroy',
};
