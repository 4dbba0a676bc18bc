;; Drives the server from Emacs with eglot: emacs -Q --batch -l eglot.el, with the program and the folder in
;; PATH and FOLDER, after the recipe of docs/editors/emacs.md. Prints what came, a line each.  -*- lexical-binding: t -*-
(setq make-backup-files nil auto-save-default nil create-lockfiles nil
      eglot-sync-connect 20 eglot-autoshutdown t eglot-events-buffer-size 0)
(require 'eglot)
(require 'flymake)

(defun say (&rest args) (princ (concat (apply #'format args) "\n")))

(defun wait-for (what condition)
  (let ((until (+ (float-time) 20)))
    (while (and (< (float-time) until) (not (funcall condition)))
      (accept-process-output nil 0.01)
      (flymake-start))
    (unless (funcall condition)
      (say "waited in vain for %s" what)
      (kill-emacs 1))))

(defun ask (method &rest params)
  (jsonrpc-request (eglot-current-server) method
                   (append (list :textDocument (eglot--TextDocumentIdentifier)) params)))

(setq-default project-find-functions (list (lambda (_dir) (cons 'transient (file-name-as-directory (getenv "FOLDER"))))))

(find-file (expand-file-name "skills/alpha/SKILL.md" (getenv "FOLDER")))
(unless (eq major-mode 'skill-mode) (say "SKILL.md opens in %s" major-mode))
(apply #'eglot (eglot--guess-contact))
(wait-for "diagnostics" (lambda () (flymake-diagnostics)))
(dolist (d (flymake-diagnostics))
  (save-excursion
    (goto-char (flymake-diagnostic-beg d))
    (say "diagnostic %s %d:%d"
         (alist-get 'code (list (cons 'code (plist-get (alist-get 'eglot-lsp-diag (flymake-diagnostic-data d)) :code))))
         (1- (line-number-at-pos)) (current-column))))
(let ((hover (ask :textDocument/hover :position '(:line 2 :character 3))))
  (when (string-match "\\`\\*\\*\\([a-z]+\\)\\*\\*" (plist-get (plist-get hover :contents) :value))
    (say "hover %s" (match-string 1 (plist-get (plist-get hover :contents) :value)))))
(seq-doseq (item (plist-get (ask :textDocument/completion :position '(:line 2 :character 0)) :items))
  (when (equal (plist-get item :label) "license") (say "completion license")))
(goto-char (point-min))
(search-forward "for: ")
(backward-char 2)
(delete-char 1)
(insert " -")
(eglot--signal-textDocument/didChange)
(wait-for "no diagnostics" (lambda () (null (flymake-diagnostics))))
(say "mended")
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(say "stopped")
(kill-emacs 0)
