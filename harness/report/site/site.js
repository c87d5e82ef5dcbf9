"use strict";
// A button that copies each command, and `/` for the search field.

for (const command of document.querySelectorAll(".command")) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Copy" });
  const text = command.querySelector("pre").textContent;
  button.setAttribute("aria-label", `Copy: ${text.slice(0, 120)}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command.querySelector("pre"));
      button.textContent = "Selected";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  command.append(button);
}

addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector("main input[type=search], header input[type=search]")?.focus();
});
