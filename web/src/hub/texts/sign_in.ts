// Texts of the sign-in page and of one-time links.

import type { Language } from "../../base/locale";

const en = {
  title: "Sign in",
  name: "User name",
  nameMissing: "Enter your user name.",
  passwordMissing: "Enter your password.",
  submit: "Sign in",
  signingIn: "Signing in…",
  wrong: "User name or password is wrong.",
  limited: (seconds: number) => `Too many attempts. Try again in ${seconds === 1 ? "1 second" : `${seconds} seconds`}.`,
  forgot: "Forgot your password? An admin of this hub can create a reset link for you.",
  signedInAs: (name: string) => `You are signed in as ${name}.`,
  goOn: "Continue",
  link: {
    checking: "Checking the link…",
    firstTitle: "Set up this hub",
    firstText: "Choose a user name and password. This account is the first admin of the hub.",
    resetTitle: "Choose a new password",
    resetText: (name: string) => `For the account ${name}. All its other sessions are signed out.`,
    expires: (when: string) => `This link works once, until ${when}.`,
    submitFirst: "Create account",
    submitReset: "Save password and sign in",
    nameHint: "Letters, digits and . _ @ + -. You sign in with it.",
    nameForm: "Use letters, digits and . _ @ + -, starting and ending with a letter or digit.",
    deadTitle: "This link does not work",
    deadText: "It was already used, has expired or is incomplete.",
    deadReset: "If you need a new password, ask an admin of this hub for a new link.",
    deadFirst: "If this is a new hub without an admin, restart lightboard hub: it prints a new link.",
    deadUsed: "If you already chose a password, sign in with it.",
    welcome: (name: string) => `Welcome, ${name}.`,
  },
};

export type Texts = typeof en;

const zh: Texts = {
  title: "登录",
  name: "用户名",
  nameMissing: "请输入用户名。",
  passwordMissing: "请输入密码。",
  submit: "登录",
  signingIn: "正在登录…",
  wrong: "用户名或密码错误。",
  limited: (seconds) => `尝试次数过多，请在 ${seconds} 秒后重试。`,
  forgot: "忘记密码？请联系 Hub 管理员为您生成重置链接。",
  signedInAs: (name) => `您已登录为 ${name}。`,
  goOn: "继续",
  link: {
    checking: "正在验证链接…",
    firstTitle: "初始化 Hub",
    firstText: "设置用户名和密码。该账号将成为首位 Hub 管理员。",
    resetTitle: "设置新密码",
    resetText: (name) => `账号：${name}。设置后，该账号的其他会话将全部退出登录。`,
    expires: (when) => `此链接只能使用一次，有效期至 ${when}。`,
    submitFirst: "创建账号",
    submitReset: "保存密码并登录",
    nameHint: "可使用字母、数字和 . _ @ + -，用于登录。",
    nameForm: "只能使用字母、数字和 . _ @ + -，且首尾必须是字母或数字。",
    deadTitle: "链接无效",
    deadText: "链接已被使用、已过期或不完整。",
    deadReset: "如需重设密码，请联系 Hub 管理员获取新链接。",
    deadFirst: "如果 Hub 刚部署、还没有管理员，请重启 lightboard hub，它会输出新的链接。",
    deadUsed: "如果您已设置过密码，请直接登录。",
    welcome: (name) => `欢迎，${name}。`,
  },
};

export const words: Readonly<Record<Language, Texts>> = { en, zh };
