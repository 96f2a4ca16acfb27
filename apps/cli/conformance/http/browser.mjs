#!/usr/bin/env node
// A browser for logins in tests: opens the address, and completes the two forms of the OAuth server as a person would.
const cookies = new Map();

/** Follows redirects until a page or the end of the login, and keeps cookies. */
async function open(address, init = {}) {
  let url = new URL(address);
  for (let given = init; ; given = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...given, redirect: 'manual', headers: { ...given.headers, cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split('=');
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || location === null) return { url, page: await answer.text() };
    url = new URL(location, url);
  }
}

let { url, page } = await open(process.argv[2]);
for (let step = 0; step < 3 && page.includes('<form'); step++) {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
  const prompt = page.includes('name="login"') ? 'login' : 'consent';
  const body = new URLSearchParams({ prompt, login: 'ann', password: 'secret' });
  ({ url, page } = await open(new URL(action, url), { method: 'POST', body }));
}
