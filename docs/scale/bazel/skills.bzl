"""Checks Agent Skills: one action for each target, which Bazel caches and runs wherever it runs actions."""

def _skill_lint_impl(ctx):
    files = ctx.actions.declare_file(ctx.label.name + ".files")
    lines = ctx.actions.declare_file(ctx.label.name + ".jsonl")
    ctx.actions.write(files, "".join([f.path + "\n" for f in ctx.files.srcs]))
    ctx.actions.run(
        executable = ctx.executable.lint,
        arguments = [ctx.executable.skilllint.path, lines.path, files.path],
        inputs = ctx.files.srcs + [files],
        tools = [ctx.executable.skilllint],
        outputs = [lines],
        mnemonic = "SkillLint",
        progress_message = "Checking the skills of %{label}",
    )
    return [DefaultInfo(files = depset([lines]))]

skill_lint = rule(
    implementation = _skill_lint_impl,
    doc = "Writes NAME.jsonl, a line of JSON for each SKILL.md among srcs.",
    attrs = {
        "srcs": attr.label_list(allow_files = True, mandatory = True, doc = "All files of the skills."),
        "skilllint": attr.label(executable = True, cfg = "exec", allow_single_file = True, default = "//tools:skilllint"),
        "lint": attr.label(executable = True, cfg = "exec", allow_single_file = True, default = "//tools:lint.sh"),
    },
)
