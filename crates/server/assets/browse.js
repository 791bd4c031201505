// Shows /api/openapi.json as a list of routes that can be tried.
const routes = document.getElementById("routes");

const element = (name, text, parent) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
};

const exampleOf = (operation) => {
  const content = operation.requestBody?.content?.["application/json"];
  return content ? JSON.stringify(content.example ?? {}, null, 2) : undefined;
};

const form = (path, method, operation, parent) => {
  const fields = {};
  for (const parameter of operation.parameters ?? []) {
    const label = element("label", `${parameter.name}${parameter.required ? "" : " (optional)"}`, parent);
    fields[parameter.name] = { where: parameter.in, input: element("input", "", label) };
  }
  let body;
  if (operation.requestBody) {
    const label = element("label", "body", parent);
    body = element("textarea", "", label);
    body.value = exampleOf(operation) ?? "{}";
  }
  const curl = element("pre", "", parent);
  const button = element("button", "Try", parent);
  const answer = element("pre", "", parent);
  answer.setAttribute("aria-live", "polite");
  const address = () => {
    let url = path;
    const query = new URLSearchParams();
    for (const [name, { where, input }] of Object.entries(fields)) {
      if (where === "path") url = url.replace(`{${name}}`, encodeURIComponent(input.value || name));
      else if (input.value) query.set(name, input.value);
    }
    return query.size ? `${url}?${query}` : url;
  };
  const show = () => {
    const data = body ? ` -H 'content-type: application/json' -d '${body.value.replaceAll("'", "'\\''")}'` : "";
    curl.textContent = `curl -X ${method.toUpperCase()} ${location.origin}${address()}${data}`;
  };
  parent.addEventListener("input", show);
  show();
  button.addEventListener("click", async () => {
    answer.textContent = "…";
    try {
      const headers = body ? { "content-type": "application/json" } : {};
      const response = await fetch(address(), { method: method.toUpperCase(), headers, body: body?.value });
      const text = await response.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON: shown as it is */ }
      answer.textContent = `${response.status}\n${shown}`;
    } catch (error) {
      answer.textContent = String(error);
    }
  });
};

const main = async () => {
  const document_ = await (await fetch("/api/openapi.json")).json();
  routes.replaceChildren();
  const groups = new Map();
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push([path, method, operation]);
    }
  }
  for (const [tag, operations] of groups) {
    const section = element("section", undefined, routes);
    element("h2", tag, section);
    for (const [path, method, operation] of operations) {
      const details = element("details", undefined, section);
      const summary = element("summary", undefined, details);
      element("span", method.toUpperCase(), summary).className = "method";
      element("code", path, summary);
      element("p", operation.summary ?? operation.description ?? "", details);
      details.addEventListener("toggle", () => {
        if (details.open && !details.dataset.made) {
          details.dataset.made = "yes";
          form(path, method, operation, details);
        }
      });
    }
  }
};

main().catch((error) => { routes.textContent = String(error); });
