"""PyTorch modules that torchax turns into JAX functions."""
import jax
import jax.numpy as jnp
import numpy as np
import torch
import torchax
from torchax.ops import mappings

from table import f32, i32
from zoo import leaves, model


def module(net):
    """The module as a function of JAX arrays that closes over its weights."""
    torch.manual_seed(0)
    net = net.eval()
    weights, function = torchax.extract_jax(net)
    return leaves(lambda *arguments: function(weights, tuple(arguments)))


rows = {
    "mlp": (lambda: torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.GELU(), torch.nn.LayerNorm(16), torch.nn.Linear(16, 3), torch.nn.Softmax(-1)), (f32(2, 6),)),
    "cnn": (lambda: torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Conv2d(8, 8, 3, groups=2), torch.nn.SiLU(), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(8, 5)), (f32(2, 3, 12, 12),)),
    "transformer_encoder": (lambda: torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), (f32(2, 5, 8),)),
    "lstm": (lambda: torch.nn.LSTM(4, 6, batch_first=True), (f32(2, 5, 4),)),
    "gru": (lambda: torch.nn.GRU(4, 6, batch_first=True), (f32(2, 5, 4),)),
    "embedding": (lambda: torch.nn.Sequential(torch.nn.Embedding(11, 8), torch.nn.Linear(8, 4), torch.nn.Tanh()), (i32(2, 5).between(0, 10),)),
    "norms": (lambda: torch.nn.Sequential(torch.nn.GroupNorm(2, 4), torch.nn.InstanceNorm2d(4), torch.nn.Hardswish(), torch.nn.Upsample(scale_factor=2, mode="nearest"), torch.nn.ConvTranspose2d(4, 3, 2, stride=2)), (f32(2, 4, 5, 5),)),
}  # fmt: skip
for name, (create, arguments) in rows.items():
    @model(name, *arguments)
    def build(create=create):
        return module(create())


for name in ["resnet18", "mobilenet_v2", "squeezenet1_1", "efficientnet_b0", "vit_b_16", "convnext_tiny", "swin_t", "densenet121", "shufflenet_v2_x0_5"]:
    @model(name, f32(1, 3, 224 if name == "vit_b_16" else 64, 224 if name == "vit_b_16" else 64), rtol=5e-3, atol=1e-3)
    def vision(name=name):
        import torchvision

        return module(getattr(torchvision.models, name)(num_classes=5))
