"use strict";
// The search field of each page, a button that copies each command, and `/` for the search field.

const header = document.querySelector("[data-search]");
if (header) {
  const field = Object.assign(document.createElement("input"), { type: "search", name: "q", placeholder: "Search" });
  field.setAttribute("aria-label", "Search everything");
  const form = Object.assign(document.createElement("form"), { action: header.dataset.search });
  form.setAttribute("role", "search");
  form.append(field, Object.assign(document.createElement("button"), { textContent: "Search" }));
  header.append(form);
}

for (const command of document.querySelectorAll(".command")) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  const text = command.textContent;
  button.setAttribute("aria-label", `Copy: ${text.slice(0, 120)}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  command.after(button);
}

addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector("main input[type=search], header input[type=search]")?.focus();
});
