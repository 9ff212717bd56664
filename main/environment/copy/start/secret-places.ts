import { wordList } from '../../../../shared/lib/word-list.ts'
/** Places below a user's home that contain keys, passwords, histories or browser data. A command in a copy does not see them. */
const SECRET_PLACES: ReadonlySet<string> = new Set(
  wordList(`
  .ssh .aws .azure .gnupg .netrc _netrc .docker .kube .npmrc .pypirc .git-credentials .password-store .vault-token .pgpass .my.cnf
  .terraform.d .config/gcloud .config/gh .config/hub .config/git/credentials .config/containers .config/op .config/rclone
  .cargo/credentials .cargo/credentials.toml .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .gem/credentials
  .local/share/keyrings .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
  .config/vivaldi .config/opera .config/Signal .config/Slack .config/Code .cache/mozilla .cache/google-chrome .cache/chromium
  .snap .var .claude .codex .gemini .claude.json .copilot .config/github-copilot .config/Cursor .config/VSCodium .config/Bitwarden
  .config/1Password .config/configstore .config/doctl .config/hcloud .config/glab-cli .config/sops .config/age
  .config/composer/auth.json .composer/auth.json .config/NuGet/NuGet.Config .nuget/NuGet/NuGet.Config .cache/huggingface/token
  .huggingface .kaggle .boto .s3cfg .oci .databrickscfg .terraformrc .local/share/kwalletd .pki .bitcoin .electrum .ethereum
  .fly/config.yml .config/netlify .local/share/com.vercel.cli .config/.wrangler .wrangler/config .sentryclirc
  .supabase/access-token .config/stripe .config/scw .config/linode-cli .aliyun .bluemix .config/ngrok .ngrok2
  .pulumi/credentials.json .circleci/cli.yml .ansible/galaxy_token .mc/config.json .passwd-s3fs .smbcredentials
  .config/pypoetry/auth.toml .local/share/uv/credentials .android/adbkey .msmtprc .mbsyncrc .authinfo .config/openai
  .config/anthropic .config/io.datasette.llm .local/share/opencode .config/goose .qwen .codeium .config/solana .bitmonero
  .config/keepassxc .config/filezilla .putty .local/share/remmina .config/syncthing .config/discord .config/Element
  .config/evolution .local/share/evolution .local/share/atuin .local/share/fish/fish_history .config/fish/fish_variables
  .local/state/syncthing .subversion/auth .1password .colima .lima .minikube .rd
`),
)

/** Histories of shells and programs, and env files. */
const SECRET_NAMES = /^\.(?:.*_history|.*history|lesshst|viminfo|env(?:\..*|rc)?)$/

/** Secret places that are not directly in the home folder but in a folder that is not secret itself. */
export const DEEP_SECRET_PLACES: readonly string[] = [...SECRET_PLACES].filter((place) => place.includes('/'))

/** Whether this entry of a home folder is hidden in a copy. */
export function isSecretEntry(name: string): boolean {
  return SECRET_PLACES.has(name) || SECRET_NAMES.test(name)
}

/**
 * Secrets outside home. Normally only root can read most of them, so those only matter if the user is root. Some systems have `/var/home`
 * and similar folders instead of `/home`.
 */
export const SYSTEM_SECRETS: readonly string[] = wordList(`
  /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssh /etc/ssl/private /etc/wireguard
  /etc/letsencrypt /etc/kubernetes /etc/rancher /etc/krb5.keytab /etc/NetworkManager/system-connections /var/lib/kubelet
  /var/lib/rancher /var/spool /var/tmp /var/backups /var/lib/docker /var/lib/containerd /var/lib/postgresql /var/lib/mysql
  /var/lib/private /var/log /var/mail /var/home /var/roothome /var/srv /var/mnt /var/snap /var/lib/lxd /var/lib/incus
  /var/lib/libvirt
`)

/** Entries of the root folder that belong to the system. Everything else there is somebody's data. */
export const SYSTEM_ENTRIES: ReadonlySet<string> = new Set(
  wordList('.dockerenv bin dev etc gnu lib lib32 lib64 libx32 nix opt proc sbin snap sys usr var'),
)
