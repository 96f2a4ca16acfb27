/** A kind of secret: what people call it, and the form that its issuer documents. */
export interface SecretKind {
  /** After "a" or "an" in a sentence, such as "a GitHub token". */
  readonly name: string;
  /** Texts of which every secret of this kind contains one. A text without any marker is not read further. */
  readonly markers: readonly string[];
  /** A group, if there is one, is the secret; what is around it only tells it apart. */
  readonly pattern: RegExp;
}

function kind(name: string, markers: string, pattern: RegExp): SecretKind {
  return { name, markers: markers.split(' '), pattern: new RegExp(pattern.source, `${pattern.flags}dg`) };
}

/** The prefixes, alphabets and lengths are those that the services document. */
export const SECRET_KINDS: readonly SecretKind[] = [
  kind('AWS access key', 'AKI ASI ABI', /A(?:KIA|SIA|BIA)[A-Z2-7]{16}(?![A-Za-z0-9])/),
  kind(
    'AWS secret key',
    'ecret_ etAccessK ECRET_',
    /secret_?access_?key["'\\]{0,2}\s{0,3}[:=]\s{0,3}["'\\]{0,2}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
  ),
  kind('Azure storage key', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{86}==)/),
  kind('Google API key', 'AIz', /AIza[\w-]{35}(?![\w-])/),
  kind('Google client secret', 'GOCSPX-', /GOCSPX-[\w-]{28}/),
  kind('Google access token', 'ya29.', /ya29\.[\w-]{60,}/),
  kind('GitHub token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9]{36,}/),
  kind('GitHub token', 'github_pat_', /github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59,}/),
  kind('GitLab token', 'glpat- glrt- gldt- glptt-', /gl(?:pat|rt|dt|ptt)-[\w-]{20,}/),
  kind('Slack token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxe-', /xox[abeprs]-\d[\w-]{20,}/),
  kind('Slack token', 'xapp-', /xapp-\d-[A-Z0-9]{8,}-\d{8,}-[a-f0-9]{32,}/),
  kind('Slack webhook', 'hooks.slack.com/', /hooks\.slack\.com\/services\/T\w{6,}\/B\w{6,}\/(\w{20,})/),
  kind('Discord webhook', '/api/webhooks/', /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/([\w-]{60,})/),
  kind('Telegram bot token', ':AA', /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/),
  kind('OpenAI key', 'sk-proj- sk-svcacct- sk-admin-', /sk-(?:proj|svcacct|admin)-[\w-]{40,}/),
  kind('OpenAI key', 'T3BlbkFJ', /sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20,}/),
  kind('Anthropic key', 'sk-ant-', /sk-ant-[a-z]{3,6}\d\d-[\w-]{80,}/),
  kind('OpenRouter key', 'sk-or-v1-', /sk-or-v1-[a-f0-9]{64}/),
  kind('Hugging Face token', 'hf_', /hf_[A-Za-z]{34}(?![A-Za-z0-9])/),
  kind('Groq key', 'gsk_', /gsk_[A-Za-z0-9]{52}/),
  kind('Replicate token', 'r8_', /r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/),
  kind('Stripe key', 'sk_live_ rk_live_', /[sr]k_live_[A-Za-z0-9]{24,}/),
  kind('Stripe webhook secret', 'whsec_', /whsec_[A-Za-z0-9+/]{32,}/),
  kind('Shopify token', 'shpat_ shpca_ shppa_ shpss_', /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/),
  kind('npm token', 'npm_', /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/),
  kind('PyPI token', 'pypi-', /pypi-AgE[\w-]{80,}/),
  kind('Docker token', 'dckr_pat_', /dckr_pat_[\w-]{27,}/),
  kind('SendGrid key', 'SG.', /SG\.[\w-]{22}\.[\w-]{43}/),
  kind('DigitalOcean token', 'dop_v1_ doo_v1_ dor_v1_', /do[opr]_v1_[a-f0-9]{64}/),
  kind('Vault token', 'hvs. hvb. hvr.', /hv[sbr]\.[\w-]{24,}/),
  kind('Terraform token', '.atlasv1.', /[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/),
  kind('Supabase token', 'sbp_', /sbp_[a-f0-9]{40}/),
  kind('Linear key', 'lin_api_', /lin_api_[A-Za-z0-9]{40}/),
  kind('Notion token', 'ntn_', /ntn_[A-Za-z0-9]{40,}/),
  kind('Figma token', 'figd_', /figd_[\w-]{40,}/),
  kind('Grafana token', 'glsa_', /glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}/),
  kind('Postman key', 'PMAK-', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/),
  kind('Atlassian token', 'ATATT', /ATATT3[\w=-]{100,}/),
  kind('age key', 'AGE-SECRET-', /AGE-SECRET-KEY-1[A-Z0-9]{58}/),
  kind(
    'private key',
    '-----B',
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\w+/=\s\\:,-]){64,20000}(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/,
  ),
  // Passwords for this machine alone are everyday work.
  kind(
    'password',
    '@',
    /(?<=[a-z][a-z0-9+.-]):\/\/[^\s:/?#@"'<>\\]{0,100}:([^\s/?#"'<>@\\]{6,200})@(?!localhost\b|127\.|0\.0\.0\.0|\[::1\])[\w[]/i,
  ),
];
