-- Starts skill-ls for the files that concern it, in the way that this Neovim has for that.
local files = require("skill_ls.files")

local M = {}

M.name = "skill_ls"

local function has(version) return vim.fn.has("nvim-" .. version) == 1 end

-- Returns the running clients of this server, of a buffer where one is given.
function M.clients(buf)
  local all
  if vim.lsp.get_clients then -- 0.10
    return vim.lsp.get_clients({ name = M.name, bufnr = buf })
  elseif buf then
    all = vim.tbl_values(vim.lsp.buf_get_clients(buf))
  else
    all = vim.lsp.get_active_clients()
  end
  return vim.tbl_filter(function(c) return c.name == M.name end, all)
end

-- Sends a request. done gets the error and the result.
function M.request(client, method, params, buf, done)
  local function handler(err, result) done(err, result) end
  if has("0.11") then
    return client:request(method, params, handler, buf)
  end
  return client.request(method, params, handler, buf)
end

-- Shows lenses, and hints where Neovim can, in a buffer that the server was attached to.
local function attached(options, client, buf)
  local can = client.server_capabilities
  if options.code_lens and can.codeLensProvider and vim.lsp.codelens.enable then -- 0.12
    vim.lsp.codelens.enable(true, { bufnr = buf })
  elseif options.code_lens and can.codeLensProvider then
    local group = vim.api.nvim_create_augroup("skill_ls_lens", { clear = false })
    vim.api.nvim_clear_autocmds({ group = group, buffer = buf })
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
      group = group, buffer = buf, callback = function() vim.lsp.codelens.refresh() end,
    })
    vim.lsp.codelens.refresh()
  end
  if options.inlay_hints and can.inlayHintProvider and vim.lsp.inlay_hint then -- 0.10
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
  if options.on_attach then options.on_attach(client, buf) end
end

-- Returns what this Neovim can, but for being told to ask for diagnostics again: the server sends them by itself then.
-- Neovim 0.12 asks again only for files that are not open, and would not show what one file changes in another.
local function capabilities(options)
  local all = options.capabilities or vim.lsp.protocol.make_client_capabilities()
  return vim.tbl_deep_extend("force", all, { workspace = { diagnostics = { refreshSupport = false } } })
end

-- Returns the configuration of a client.
local function config(options)
  local settings = vim.tbl_isempty(options.settings) and vim.empty_dict() or options.settings -- no list, in JSON
  return {
    name = M.name,
    cmd = options.cmd,
    capabilities = capabilities(options),
    settings = { skilllint = settings },
    init_options = vim.tbl_extend("force", settings, { panels = true, trusted = options.trusted }),
    on_attach = function(client, buf) attached(options, client, buf) end,
  }
end

local started = {} -- ids of clients by root, for Neovim 0.7: it does not look for one that runs already

local function start_07(c, buf)
  local id = started[c.root_dir]
  if not id or vim.lsp.client_is_stopped(id) then
    id = vim.lsp.start_client(c)
    started[c.root_dir] = id
  end
  if id then vim.lsp.buf_attach_client(buf, id) end
end

-- Starts the server for a buffer, or attaches the one of its folder, when the buffer's file concerns it.
function M.start(options, buf)
  local path = vim.api.nvim_buf_get_name(buf)
  if vim.bo[buf].buftype ~= "" or not files.concerns(path, options.patterns) then return end
  local c = config(options)
  c.root_dir = files.root(path)
  if vim.fn.executable(c.cmd[1]) == 0 then
    vim.notify_once(("skill-ls: there is no program %q; install it or name it with cmd, see :checkhealth skill_ls"):format(c.cmd[1]), vim.log.levels.WARN)
  elseif vim.lsp.start then -- 0.8
    vim.lsp.start(c, { bufnr = buf })
  else
    start_07(c, buf)
  end
end

-- Has Neovim start the server from now on, for the buffers that are open, too.
function M.enable(options)
  if vim.lsp.config and vim.lsp.enable then -- 0.11
    local c = config(options)
    c.root_dir = function(buf, found)
      local path = vim.api.nvim_buf_get_name(buf)
      if vim.bo[buf].buftype == "" and files.concerns(path, options.patterns) then found(files.root(path)) end
    end
    vim.lsp.config(M.name, c)
    vim.lsp.enable(M.name)
    return
  end
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufFilePost" }, {
    group = vim.api.nvim_create_augroup("skill_ls", {}),
    callback = function(event) M.start(options, event.buf) end,
  })
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) then M.start(options, buf) end
  end
end

return M
