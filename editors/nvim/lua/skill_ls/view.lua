-- Scratch buffers that show what the server answers.
local M = {}

local space = vim.api.nvim_create_namespace("skill_ls")

-- What stands for a state, and the group that colours it.
local marks = {
  { "✓", "SkillListed" }, { "✗", "SkillDropped" }, { "‼", "SkillDropped" }, { "~", "SkillChanged" }, { "·", "SkillHidden" },
}

for group, link in pairs({ SkillListed = "DiagnosticInfo", SkillDropped = "DiagnosticError", SkillChanged = "DiagnosticWarn", SkillHidden = "Comment" }) do
  vim.cmd(("highlight default link %s %s"):format(group, link))
end

-- Colours the marks that stand alone between blanks or bars.
local function colour(buf, lines)
  vim.api.nvim_buf_clear_namespace(buf, space, 0, -1)
  for row, line in ipairs(lines) do
    for _, m in ipairs(marks) do
      local from = 1
      while true do
        local first, last = line:find(m[1], from, true)
        if not first then break end
        local before, after = line:sub(first - 1, first - 1), line:sub(last + 1, last + 1)
        if before:match("^[%s\\]?$") and after:match("^%s?$") then
          vim.api.nvim_buf_add_highlight(buf, space, m[2], row - 1, first - 1, last)
        end
        from = last + 1
      end
    end
  end
end

local function buffer(title)
  local name = "skill://" .. title
  local buf = vim.fn.bufnr("^" .. name .. "$")
  if buf > 0 and vim.api.nvim_buf_is_valid(buf) then return buf end
  buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, name)
  vim.bo[buf].bufhidden = "hide"
  vim.bo[buf].filetype = "markdown"
  vim.api.nvim_buf_set_keymap(buf, "n", "q", "<Cmd>close<CR>", { noremap = true, silent = true, nowait = true, desc = "close" })
  return buf
end

-- Shows Markdown in the scratch buffer of that title, in the window that shows it already or in a new one.
function M.show(title, markdown)
  local buf, lines = buffer(title), vim.split(markdown:gsub("\n+$", ""), "\n", { plain = true })
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  colour(buf, lines)
  if vim.fn.bufwinid(buf) < 0 then
    vim.cmd("botright split")
    vim.api.nvim_win_set_buf(0, buf)
    vim.wo.wrap = true
  end
  return buf
end

return M
